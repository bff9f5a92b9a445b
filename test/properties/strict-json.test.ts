// The strict reader of frames and JSON.parse: it accepts only what JSON.parse accepts, and then gives the same value; what
// it refuses beside that has a reason of the protocol.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ProtocolViolation } from '../../src/bridge/protocol.js';
import { parseStrictJsonObject } from '../../src/bridge/strict-json.js';
import { type Json, json, jsonText } from './json-arbitrary.js';
import { parameters } from './parameters.js';

const object = fc
  .array(fc.tuple(jsonText, json), { maxLength: 5 })
  .map((members): { [key: string]: Json } => Object.fromEntries(members));

const spelling = fc
  .tuple(object, fc.integer({ min: 0, max: 3 }))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

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

function strictly(text: string): { value: unknown } | { reason: string } {
  try {
    return { value: parseStrictJsonObject(Buffer.from(text)).value };
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
        assert.deepStrictEqual(parsed.value, JSON.parse(JSON.stringify(value)));
        for (const key of Object.keys(value)) {
          assert.deepStrictEqual(
            JSON.parse(parsed.member(key) ?? ''),
            JSON.parse(JSON.stringify(value[key])),
          );
        }
      }),
      parameters(1000),
    );
  });

  it('agrees with JSON.parse on what it accepts, and has a reason for what it refuses beside that', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const ours = strictly(text);
        let theirs: unknown;
        try {
          theirs = JSON.parse(text);
        } catch {
          assert.ok('reason' in ours, `accepted what is no JSON: ${JSON.stringify(text)}`);
          return;
        }
        if ('value' in ours) assert.deepStrictEqual(ours.value, theirs);
        else
          assert.match(ours.reason, /duplicate key|not a JSON object|nested deeper|beyond those of IEEE 754/);
      }),
      parameters(3000),
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
