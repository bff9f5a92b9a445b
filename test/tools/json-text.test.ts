import assert from 'node:assert/strict';
import { NotJson, toJsonText } from '../../src/tools/json-text.js';

const nested = (levels: number) => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

class Money {
  constructor(
    readonly amount: number,
    readonly currency: string,
  ) {}
}

const shared = [1];
const cycle: Record<string, unknown> = { a: [] };
(cycle['a'] as unknown[]).push(cycle);

const ACCEPTED: [string, unknown, string][] = [
  ['undefined as null', undefined, 'null'],
  ['plain values', { a: [1, 'x', true, null], b: { c: -1.5 } }, '{"a":[1,"x",true,null],"b":{"c":-1.5}}'],
  ['undefined members by leaving them out', { a: undefined, b: 1 }, '{"b":1}'],
  [
    'undefined elements and holes as null',
    Object.assign(new Array(3), { 0: undefined, 2: 1 }),
    '[null,null,1]',
  ],
  ['-0 as 0', -0, '0'],
  ['a Date as its ISO string', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ['a URL as its href', [new URL('https://a.example/x')], '["https://a.example/x"]'],
  ['an Error as name and message', { e: new TypeError('no') }, '{"e":{"name":"TypeError","message":"no"}}'],
  ['an instance by its own properties', new Money(1, 'EUR'), '{"amount":1,"currency":"EUR"}'],
  ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ['an own key __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  [
    'an own key __proto__ beside an instance',
    [JSON.parse('{"__proto__":1}'), new Money(1, 'x')],
    '[{"__proto__":1},{"amount":1,"currency":"x"}]',
  ],
  ['one object twice', [shared, shared, new Money(1, 'x')], '[[1],[1],{"amount":1,"currency":"x"}]'],
  ['boxed primitives', [Object('x'), Object(1), Object(false)], '["x",1,false]'],
  ['a toJSON that returns undefined', { a: { toJSON: () => undefined } }, '{}'],
  ['a toJSON at the top that returns undefined', { toJSON: () => undefined }, 'null'],
  ['lone surrogates as escapes', '\ud800', '"\\ud800"'],
];

const REFUSED: [string, unknown, RegExp][] = [
  ['NaN', { a: [1, Number.NaN] }, /^\$\.a\[1\] is NaN/],
  ['Infinity', Number.POSITIVE_INFINITY, /^\$ is Infinity/],
  ['a BigInt', { 'a b': 1n }, /^\$\["a b"\] is a BigInt/],
  ['a symbol', [Symbol('x')], /^\$\[0\] is a symbol/],
  ['a function', { f() {} }, /^\$\.f is a function/],
  ['a promise', { p: Promise.resolve(1) }, /^\$\.p is a promise: await it/],
  ['a Map', new Map(), /^\$ is a Map/],
  ['a Set', [new Set()], /^\$\[0\] is a Set/],
  ['a WeakMap', new WeakMap(), /weak collection/],
  ['a RegExp', /x/, /regular expression/],
  ['a Buffer, before its toJSON', { b: Buffer.from('x') }, /^\$\.b is binary data/],
  ['a typed array', new Float64Array(1), /binary data/],
  ['an ArrayBuffer', new ArrayBuffer(1), /binary data/],
  ['an invalid Date', new Date(Number.NaN), /invalid Date/],
  ['a cycle', cycle, /^\$\.a\[0\] is a reference to an object that contains it/],
  ['512 levels', nested(512), /nested deeper than 511/],
];

describe('tools: JSON text of a result', () => {
  for (const [what, value, text] of ACCEPTED) {
    it(`writes ${what}`, () => assert.equal(toJsonText(value), text));
  }

  for (const [what, value, message] of REFUSED) {
    it(`refuses ${what}, naming the place`, () => {
      assert.throws(
        () => toJsonText(value),
        (error) => error instanceof NotJson && message.test(error.message),
      );
    });
  }

  it('writes 511 levels', () => {
    assert.equal(toJsonText(nested(511)).length, 2 * 511 + 1);
  });

  it('calls a toJSON once', () => {
    let calls = 0;
    assert.equal(toJsonText({ a: { toJSON: () => ++calls } }), '{"a":1}');
    assert.equal(calls, 1);
  });

  it('lets the error of a getter through', () => {
    const value = {
      get broken() {
        throw new RangeError('broken getter');
      },
    };
    assert.throws(() => toJsonText(value), /broken getter/);
  });
});
