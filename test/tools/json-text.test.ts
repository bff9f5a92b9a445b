import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { NotJson, TooLong, toJsonText } from '../../src/tools/json-text.js';

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

const ERROR_TEXT = '{"name":"Error","message":"m"}';
class Self {
  a = 1;
  toJSON() {
    return this;
  }
}
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

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
  ['every other code unit as it is', '\u0000\u2028"', '"\\u0000\u2028\\""'],
  ['a Date that a toJSON gave', { toJSON: () => new Date(0) }, '"1970-01-01T00:00:00.000Z"'],
  ['an instance that a toJSON gave', { toJSON: () => new Money(1, 'x') }, '{"amount":1,"currency":"x"}'],
  ['no toJSON of what a toJSON gave', { toJSON: () => ({ toJSON: 1, a: 2 }) }, '{"toJSON":1,"a":2}'],
  ['itself, if that is what its toJSON gives', new Self(), '{"a":1}'],
  ['an Error without asking for its toJSON', Object.assign(new Error('m'), { toJSON: () => 1 }), ERROR_TEXT],
  ['a DOMException', new DOMException('m', 'Error'), ERROR_TEXT],
  ['a proxy as what it stands for', new Proxy([1, { a: undefined }], {}), '[1,{}]'],
  [
    'an object of another realm',
    [runInNewContext('({ a: [new Date(0)] })')],
    '[{"a":["1970-01-01T00:00:00.000Z"]}]',
  ],
  [
    'the values of getters',
    {
      get a() {
        return 1;
      },
      at: new Date(0),
    },
    '{"a":1,"at":"1970-01-01T00:00:00.000Z"}',
  ],
];

/** Members that hide what is no data. */
const asMember = (value: unknown) => ({ a: [value] });
class Lines {
  async *[Symbol.asyncIterator]() {}
}

/** Objects that JSON.stringify writes as `{}`, or nearly so, whatever they hold. */
const NO_DATA: [string, object, RegExp][] = [
  ['a Response', new Response('x'), /is a Response: read it first, as with await response\.json\(\)$/],
  ['a Request', new Request('http://h/'), /is a Request: read it first/],
  ['Headers', new Headers(), /is a Headers object: convert it with Object\.fromEntries\(\)$/],
  ['FormData', new FormData(), /is a FormData object: convert/],
  ['URLSearchParams', new URLSearchParams('a=1'), /is a URLSearchParams object: convert/],
  ['a Blob', new Blob(['x']), /is a Blob: read it first, as with await blob\.text\(\)$/],
  ['a ReadableStream', new ReadableStream(), /is a ReadableStream: read it first/],
  ['a WritableStream', new WritableStream(), /is a WritableStream, which holds no data$/],
  ['a TransformStream', new TransformStream(), /is a TransformStream/],
  ['an AbortSignal', new AbortController().signal, /is an AbortSignal, which holds no data$/],
  ['an AbortController', new AbortController(), /is an AbortController/],
  ['a generator', (function* () {})(), /is an iterator: convert it with Array\.from\(\)$/],
  ['an async generator', (async function* () {})(), /is an async iterable: collect its values first/],
  ['an async iterable', new Lines(), /is an async iterable/],
  ['the iterator of a Map', new Map().values(), /is an iterator/],
  ['the iterator of an array', [1].entries(), /is an iterator/],
  ['a readable stream of Node', Readable.from(['x']), /is a stream: read it first, as with for await$/],
  ['a writable stream of Node', new Writable(), /is a stream, which holds no data$/],
  ['a Response of another library', Object.create({ [Symbol.toStringTag]: 'Response' }), /is a Response/],
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
  ['a WeakMap', new WeakMap(), /weak reference or collection/],
  ['a RegExp', /x/, /regular expression/],
  ['a Buffer, before its toJSON', { b: Buffer.from('x') }, /^\$\.b is binary data/],
  ['a typed array', new Float64Array(1), /binary data/],
  ['an ArrayBuffer', new ArrayBuffer(1), /binary data/],
  ['an invalid Date', { at: [new Date(Number.NaN)] }, /^\$\.at\[0\] is an invalid Date/],
  ['a Map that a toJSON gave', { m: { toJSON: () => new Map() } }, /^\$\.m is a Map/],
  ['a typed array with a toJSON', Object.assign(new Uint8Array(1), { toJSON: () => 1 }), /binary data/],
  ['an object around a BigInt', [Object(1n)], /^\$\[0\] is an object around a BigInt/],
  ['a WeakRef', new WeakRef({}), /weak reference/],
  [
    'a getter that throws',
    {
      items: [
        {
          get total() {
            throw new Error('secret');
          },
        },
      ],
    },
    /^\$\.items\[0\]\.total has a getter/,
  ],
  [
    'a toJSON that cannot be read',
    {
      a: {
        get toJSON() {
          throw 1;
        },
      },
    },
    /^\$\.a has a toJSON that cannot be read/,
  ],
  [
    'a proxy that lists nothing',
    {
      p: new Proxy(
        {},
        {
          ownKeys() {
            throw 1;
          },
        },
      ),
    },
    /^\$\.p has properties that/,
  ],
  [
    'an Error whose message throws',
    Object.defineProperty(new Error(), 'message', {
      get() {
        throw 1;
      },
    }),
    /an Error whose/,
  ],
  ['a revoked proxy', [revoked], /^\$\[0\] has a toJSON that cannot be read/],
  ['a key of 10,000 characters, cut', { ['k'.repeat(10_000)]: 1n }, /^\$\.k{250,256}… is a BigInt/],
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

  for (const [what, value, message] of NO_DATA) {
    it(`refuses ${what}, saying what to do`, () => {
      for (const outer of [value, asMember(value)]) {
        assert.throws(
          () => toJsonText(outer),
          (error) => error instanceof NotJson && message.test(error.message),
        );
      }
    });
  }

  it('writes what is no data by its toJSON, if it has one', () => {
    for (const [, value] of NO_DATA) {
      assert.equal(toJsonText(Object.assign(value, { toJSON: () => 1 })), '1');
    }
  });

  it('writes plain objects that call themselves something', () => {
    const value = { [Symbol.toStringTag]: 'Response', a: 1, at: new Date(0) };
    assert.equal(toJsonText(value), '{"a":1,"at":"1970-01-01T00:00:00.000Z"}');
  });

  it('writes 511 levels', () => {
    assert.equal(toJsonText(nested(511)).length, 2 * 511 + 1);
  });

  it('calls a toJSON once', () => {
    let calls = 0;
    assert.equal(toJsonText({ a: { toJSON: () => ++calls } }), '{"a":1}');
    assert.equal(calls, 1);
  });

  it('keeps what a getter threw as the cause, and tells nobody', () => {
    const cause = new RangeError('secret');
    const value = {
      get broken() {
        throw cause;
      },
    };
    assert.throws(
      () => toJsonText(value),
      (error) => error instanceof NotJson && error.cause === cause && !error.message.includes('secret'),
    );
  });

  it('lets the error of a toJSON through', () => {
    const value = {
      toJSON() {
        throw new RangeError('broken toJSON');
      },
    };
    assert.throws(() => toJsonText({ value }), { name: 'RangeError', message: 'broken toJSON' });
  });
});

describe('JSON text that would be too long', () => {
  const MOST = 1_000;
  const holed = (length: number): unknown[] => {
    const array: unknown[] = [];
    array[length - 1] = 1;
    return array;
  };
  let doubled: unknown = 'x';
  for (let level = 0; level < 200; level++) doubled = { a: doubled, b: doubled };
  // Written out, each of them takes more memory or time than there is.
  const values: Record<string, unknown> = {
    'an array with holes': holed(2 ** 32 - 2),
    'the same in an object without a prototype': { __proto__: null, value: holed(2 ** 32 - 2) },
    'an object that has itself twice at each level': doubled,
    'the same as a replacement': { toJSON: () => doubled },
    'a proxy of an array': new Proxy(holed(2 ** 32 - 2), {}),
    'a long string many times': Array<string>(1e9 / MOST).fill('x'.repeat(MOST)),
    'an error many times': Array<Error>(400).fill(new Error('m'.repeat(MOST / 2))),
    'a String object many times': Array<unknown>(400).fill(Object('x'.repeat(MOST / 2))),
    'a date many times': Array<Date>(400).fill(new Date(0)),
    'a long key': { ['k'.repeat(MOST)]: 1 },
  };
  for (const [name, value] of Object.entries(values))
    it(`is not written: ${name}`, () => assert.throws(() => toJsonText(value, MOST), TooLong));

  it('is refused only if it is', () => {
    const exact: [text: string, value: unknown][] = [
      [`"${'x'.repeat(998)}"`, 'x'.repeat(998)],
      [`[${'1,'.repeat(498)}1]`, Array(499).fill(1)],
      [`{"${'k'.repeat(993)}":""}`, { ['k'.repeat(993)]: '' }],
      [`[${'"","",'.repeat(165)}"",""]`, Array(332).fill('')],
    ];
    for (const [text, value] of exact) {
      assert.ok(text.length <= MOST);
      assert.equal(toJsonText(value, MOST), text);
    }
    const unread = Object.fromEntries(Array.from({ length: MOST }, (_, index) => [`k${index}`, undefined]));
    assert.equal(toJsonText(unread, MOST), '{}');
  });
});
