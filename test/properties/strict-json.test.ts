// The strict reader of frames and JSON.parse: it accepts only what JSON.parse accepts, and then gives the same value; what
// it refuses beside that has a reason of the protocol.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonScanner } from '../../src/bridge/json-scanner.js';
import { ProtocolViolation } from '../../src/bridge/protocol.js';
import { type JsonObjectText, parseStrictJsonObject } from '../../src/bridge/strict-json.js';
import { type Json, json, jsonText } from './json-arbitrary.js';
import { parameters } from './parameters.js';

const object = fc
  .array(fc.tuple(jsonText, json), { maxLength: 5 })
  .map((members): { [key: string]: Json } => Object.fromEntries(members));

const spelling = fc
  .tuple(object, fc.integer({ min: 0, max: 3 }))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

/** Where a frame is cut into chunks. */
const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 4 });

/** The same with a few bytes changed: mostly no JSON any more. */
const damaged = fc
  .tuple(
    spelling,
    fc.array(
      fc.tuple(fc.nat(), fc.integer({ min: 0, max: 2 }), fc.constantFrom(...'"\\,:{}[]0-.eEtfn \n\0\u00e9')),
      { maxLength: 3 },
    ),
  )
  .map(([text, edits]) => {
    let result = text;
    for (const [at, removed, inserted] of edits) {
      const index = at % (result.length + 1);
      result = result.slice(0, index) + inserted + result.slice(index + removed);
    }
    return Buffer.from(result).toString(); // half of a surrogate pair has no bytes
  });

const read = (bytes: Buffer, cuts: readonly number[] = []) => {
  const scanner = new JsonScanner();
  for (const cut of [...cuts].sort((a, b) => a - b)) if (cut <= bytes.length) scanner.scan(bytes, cut);
  return parseStrictJsonObject(bytes, scanner);
};

/** The members of an object by its keys. */
function membersOf(json: JsonObjectText, keys: readonly string[]): Map<string, unknown> {
  return new Map(keys.map((key) => [key, json.value(key)]));
}

function strictly(text: string, cuts: readonly number[] = []): { json: JsonObjectText } | { reason: string } {
  try {
    return { json: read(Buffer.from(text), cuts) };
  } catch (error) {
    assert.ok(error instanceof ProtocolViolation, String(error));
    return { reason: error.message };
  }
}

describe('properties: strict JSON', () => {
  it('reads every object that JSON.stringify writes', () => {
    fc.assert(
      fc.property(object, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const parsed = parseStrictJsonObject(Buffer.from(JSON.stringify(value, null, indent)));
        for (const key of Object.keys(value)) {
          assert.deepStrictEqual(parsed.value(key), JSON.parse(JSON.stringify(value[key])));
        }
      }),
      parameters(1000),
    );
  });

  it('agrees with JSON.parse on what it accepts, and has a reason for what it refuses beside that', () => {
    fc.assert(
      fc.property(damaged, cuts, (text, at) => {
        const ours = strictly(text, at);
        let theirs: Record<string, unknown>;
        try {
          theirs = JSON.parse(text);
        } catch {
          assert.ok('reason' in ours, `accepted what is no JSON: ${JSON.stringify(text)}`);
          return;
        }
        if ('json' in ours) {
          const keys = Object.keys(theirs);
          assert.deepStrictEqual(membersOf(ours.json, keys), new Map(keys.map((key) => [key, theirs[key]])));
        } else
          assert.match(ours.reason, /duplicate key|not a JSON object|nested deeper|beyond those of IEEE 754/);
      }),
      parameters(3000),
    );
  });

  it('says the same however the frame was cut', () => {
    fc.assert(
      fc.property(damaged, cuts, (text, at) => {
        const [whole, parts] = [strictly(text), strictly(text, at)];
        if ('reason' in whole) assert.deepStrictEqual(parts, whole);
        else assert.ok('json' in parts);
      }),
      parameters(1500),
    );
  });

  it('finds a key that is there twice, however it is spelt', () => {
    const key = jsonText.filter((text) => text !== '');
    fc.assert(
      fc.property(key, json, (name, value) => {
        const escaped = Array.from({ length: name.length }, (_, index) => {
          const unit = name.charCodeAt(index).toString(16).padStart(4, '0');
          return `\\u${unit}`;
        }).join('');
        const text = `{"outer":{${JSON.stringify(name)}:${JSON.stringify(value)},"${escaped}":0}}`;
        const ours = strictly(text);
        assert.match('reason' in ours ? ours.reason : 'accepted', /duplicate key/);
      }),
      parameters(300),
    );
  });
});
