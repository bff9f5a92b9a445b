// However long a text is, and wherever it is cut, the value is that of JSON.parse.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonValue } from '../../src/tools/json-value.js';
import { PIECE_LENGTH, parseInPieces } from '../../src/tools/parse-in-pieces.js';
import { json, jsonText } from './json-arbitrary.js';
import { parameters } from './parameters.js';

interface Parsed {
  value: JsonValue;
  pieces: number;
}

function parse(text: string): Parsed {
  const parsing = parseInPieces(text);
  for (let pieces = 1; ; pieces++) {
    const { done, value } = parsing.next();
    if (done === true) return { value, pieces };
  }
}

/** Strings, lists and objects about as long as a piece, with others inside and beside them. */
const long = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    json,
    fc
      .tuple(jsonText, fc.integer({ min: 1, max: 20_000 }))
      .map(([text, times]) => text.repeat(times).slice(0, 50_000)),
    fc
      .tuple(json, fc.integer({ min: 1, max: 8_000 }))
      .map(([each, times]) => Array(times).fill(each).slice(0, 9_000)),
    fc
      .tuple(jsonText, json, fc.integer({ min: 1, max: 3_000 }))
      .map(([key, each, times]) =>
        Object.fromEntries(Array.from({ length: times }, (_, index) => [`${key}${index}`, each])),
      ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(jsonText, fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('properties: JSON in pieces', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(long, fc.integer({ min: 0, max: 2 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepStrictEqual(parse(text).value, JSON.parse(text));
      }),
      parameters(150),
    );
  });

  it('comes in as many pieces as its length wants', () => {
    const objects = parse(JSON.stringify(Array(100_000).fill({})));
    assert.ok(objects.pieces >= 300_000 / (2 * PIECE_LENGTH), `${objects.pieces} pieces`);
    const nested = `${'[1,'.repeat(500)}${JSON.stringify(Array(50_000).fill(1))}${']'.repeat(500)}`;
    assert.deepStrictEqual(parse(nested).value, JSON.parse(nested));
    assert.equal(parse('[1,2]').pieces, 1);
  });

  it('keeps __proto__ as a key of its own', () => {
    const text = `{"a":${JSON.stringify('x'.repeat(PIECE_LENGTH))},"__proto__":{"b":1},"c":2}`;
    const { value } = parse(text);
    assert.deepStrictEqual(Object.keys(value as object), ['a', '__proto__', 'c']);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });
});
