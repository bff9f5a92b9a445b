// The canonical text of a value does not depend on the order in which its members were made, and means the same value.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalDigest, canonicalText } from '../../src/tools/canonical-json.js';
import { asCarried, type Json, json } from './json-arbitrary.js';
import { parameters } from './parameters.js';

/** The same value, its members made in reverse order at every level. */
function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]): [string, Json] => [key, reversed(member)]),
  );
}

describe('properties: canonical JSON', () => {
  it('is the same for every order of the members', () => {
    fc.assert(
      fc.property(json, (value) => {
        assert.equal(canonicalText(reversed(value)), canonicalText(value));
        assert.equal(canonicalDigest(reversed(value)), canonicalDigest(value));
      }),
      parameters(1000),
    );
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        assert.deepStrictEqual(JSON.parse(canonicalText(value)), asCarried(value));
      }),
      parameters(1000),
    );
  });

  it('differs where values differ', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const same = canonicalText(one) === canonicalText(other);
        assert.equal(same, canonicalText(JSON.parse(canonicalText(one))) === canonicalText(asCarried(other)));
        if (same) assert.deepStrictEqual(asCarried(one), asCarried(other));
      }),
      parameters(500),
    );
  });
});
