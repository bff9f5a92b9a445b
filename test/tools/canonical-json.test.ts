import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { canonicalDigest, canonicalText } from '../../src/tools/canonical-json.js';

describe('tools: canonical JSON', () => {
  it('sorts keys at every depth and keeps the order of arrays', () => {
    assert.equal(canonicalText({ b: [2, { d: 1, c: null }], a: 'x' }), '{"a":"x","b":[2,{"c":null,"d":1}]}');
  });

  it('keeps an own key __proto__', () => {
    assert.equal(canonicalText(JSON.parse('{"b":1,"__proto__":2}')), '{"__proto__":2,"b":1}');
  });

  it('gives the SHA-256 of that text in hexadecimal', () => {
    const expected = createHash('sha256').update('{"a":1,"b":2}').digest('hex');
    assert.equal(canonicalDigest({ b: 2, a: 1 }), expected);
  });
});
