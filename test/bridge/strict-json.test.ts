import assert from 'node:assert/strict';
import { parseStrictJsonObject } from '../../src/bridge/strict-json.js';

const parse = (text: string) => parseStrictJsonObject(Buffer.from(text));
/** Accepted, the members are what JSON.parse makes of them. */
const accept = (text: string) => {
  const json = parse(text);
  const value: Record<string, unknown> = JSON.parse(text);
  for (const key of Object.keys(value)) assert.deepEqual(json.value(key), value[key]);
};
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('bridge: strict JSON', () => {
  it('accepts an object with every kind of value', () => {
    const text = '{"a":1,"b":[true,false,null,-0.5e3],"c":{"d":"\\u00e9\\"\\\\"}, "" : "x"}';
    accept(text);
    assert.equal(parse(text).value('e'), undefined);
    assert.equal(parse(text).has('e'), false);
  });

  it('keeps __proto__ as an own key', () => {
    const json = parse('{"__proto__":{"polluted":true}}');
    assert.equal(json.text('__proto__'), '{"polluted":true}');
    assert.equal(json.has('polluted'), false);
    assert.equal(json.has('toString'), false);
  });

  it('accepts the same key in different objects', () => {
    accept('{"a":{"a":[{"a":1},{"a":2}]}}');
  });

  it('keeps U+2028 and U+2029 inside strings', () => {
    assert.equal(parse('{"a":"\u2028\u2029"}').value('a'), '\u2028\u2029');
  });

  it('accepts 512 levels of nesting and refuses 513', () => {
    assert.ok(parse(nested(512)));
    assert.throws(() => parse(nested(513)), /nested deeper than 512/);
  });

  it('refuses 100,000 levels without exhausting the stack', () => {
    assert.throws(() => parse(nested(100_000)), /nested deeper than 512/);
  });

  const refused: [string, string | Buffer, RegExp][] = [
    ['a duplicate key', '{"a":1,"a":2}', /duplicate key/],
    ['a duplicate key spelt with an escape', '{"a":1,"\\u0061":2}', /duplicate key/],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}', /duplicate key/],
    ['a duplicate key deep inside', '{"x":[{"y":{"a":1,"b":2,"a":3}}]}', /duplicate key/],
    ['a duplicate key after a string with colons', '{"x":"a:b","y":{"k":1,"k":1}}', /duplicate key/],
    ['a NUL byte inside a string', '{"a":"\0"}', /NUL/],
    ['a NUL byte after the object', '{}\0', /NUL/],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    ['an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    ['an encoded surrogate', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    ['a byte order mark', '\ufeff{}', /not valid JSON/],
    ['an array', '[{"a":1}]', /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['a number', '1', /not a JSON object/],
    ['an empty frame', '', /not valid JSON/],
    ['two objects', '{}{}', /not valid JSON/],
    ['an unterminated string', '{"a":"b', /not valid JSON/],
    ['a string that ends in a backslash', '{"a":"b\\', /not valid JSON/],
    ['a trailing comma', '{"a":1,}', /not valid JSON/],
    ['a number beyond any double', '{"a":1e999}', /beyond those of IEEE 754/],
    ['such a number deep inside', '{"a":[{"b":[0,-1e400]}]}', /beyond those of IEEE 754/],
    ['closing brackets without opening ones', ']}}]', /not valid JSON/],
  ];
  for (const [what, input, message] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(() => parseStrictJsonObject(Buffer.from(input as string)), {
        name: 'ProtocolViolation',
        message,
      });
    });
  }

  it('gives the text of a member exactly as it was sent', () => {
    const json = parse('{"b":"}", "a" : { "x": [1, "],:{"] } ,"c":1.0}');
    assert.equal(json.text('a'), '{ "x": [1, "],:{"] }');
    assert.equal(json.text('b'), '"}"');
    assert.equal(json.text('c'), '1.0');
    assert.equal(json.text('x'), undefined);
  });

  it('gives the text of a member whose key is spelt with escapes', () => {
    assert.equal(parse('{"\\u0061":[1]}').text('a'), '[1]');
  });

  it('reads escaped quotes and backslashes before a quote', () => {
    const json = parse('{"a":"\\\\","b":"\\"","c":"\\\\\\"","d":{"e":1}}');
    assert.equal(json.text('a'), '"\\\\"');
    assert.equal(json.text('d'), '{"e":1}');
  });
});
