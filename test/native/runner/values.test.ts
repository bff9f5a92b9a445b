import assert from 'node:assert/strict';
import { errorOf, resultOf, run } from './helper.js';

const carried: [string, unknown][] = [
  ['-0', 0],
  ['[1e21, 1.5, -7, 0.1, 2 ** 53, -1e-7]', [1e21, 1.5, -7, 0.1, 2 ** 53, -1e-7]],
  ["'\\u0000\\u2028\\ud800\"\\\\'", '\u0000\u2028\ud800"\\'],
  ['{ a: undefined, b: [undefined, , 1] }', { b: [null, null, 1] }],
  ['new Date(0)', '1970-01-01T00:00:00.000Z'],
  ["new TypeError('bad')", { name: 'TypeError', message: 'bad' }],
  ["[Object(1), Object('s'), Object(false)]", [1, 's', false]],
  ['new (class Point { x = 1; #y = 2 })()', { x: 1 }],
  ['Object.assign(Object.create(null), { a: 1 })', { a: 1 }],
  ['new Proxy([1, { a: 2 }], {})', [1, { a: 2 }]],
  ["{ toJSON(key) { return ['key', key] } }", ['key', '']],
  ['{ a: { toJSON(key) { return key } }, b: [{ toJSON: (key) => key }] }', { a: 'a', b: ['0'] }],
  ['{ toJSON() { return { toJSON: 1, a: 2 } } }', { toJSON: 1, a: 2 }],
  ["{ [Symbol('s')]: 1, a: 1 }", { a: 1 }],
  ['JSON.parse(\'{"__proto__": 1}\')', JSON.parse('{"__proto__": 1}')],
  ['Object.defineProperty({ a: 1 }, "hidden", { value: 2 })', { a: 1 }],
];

const refused: [string, string, RegExp][] = [
  ['{ a: [1, NaN] }', '$.a[1]', /NaN/],
  ['[-Infinity]', '$[0]', /infinite/],
  ['{ a: 1n }', '$.a', /BigInt/],
  ["Symbol('s')", '$', /symbol/],
  ['{ f() {} }', '$.f', /function/],
  ['[Promise.resolve(1)]', '$[0]', /await it/],
  ['{ m: new Map() }', '$.m', /Map.*convert/],
  ['new Set()', '$', /Set.*convert/],
  ['new WeakMap()', '$', /weak/],
  ['{ bytes: new Uint8Array(2) }', '$.bytes', /binary/],
  ['new ArrayBuffer(2)', '$', /binary/],
  ['/x/', '$', /regular expression/],
  ['{ items: [0, 1, 2, { get total() { throw 1 } }] }', '$.items[3].total', /getter/],
  ['(() => { const a = {}; a["b c"] = { a }; return a })()', '$["b c"].a', /refers back/],
  ['new Proxy({}, { ownKeys() { throw 1 } })', '$', /cannot be listed/],
];

describe('code-runner: values', () => {
  for (const [expression, expected] of carried) {
    it(`carries ${expression}`, async () => {
      assert.deepEqual(await resultOf(`return ${expression}`), expected);
    });
  }

  for (const [expression, path, reason] of refused) {
    it(`refuses ${expression}, naming its path`, async () => {
      const error = await errorOf(`return ${expression}`);
      assert.equal(error.kind, 'result');
      assert.equal(error.path, path);
      assert.match(error.message, reason);
    });
  }

  it('has the same value twice, as long as it is no cycle', async () => {
    assert.deepEqual(await resultOf('const a = { n: 1 }; return [a, a, { a }]'), [
      { n: 1 },
      { n: 1 },
      { a: { n: 1 } },
    ]);
  });

  it('reports what a toJSON throws as an error of the program', async () => {
    const error = await errorOf("return { toJSON() { throw new RangeError('mine') } }");
    assert.deepEqual([error.kind, error.name, error.message], ['javascript', 'RangeError', 'mine']);
  });

  it('carries 511 levels, which fill a frame of 512', async () => {
    const { terminal } = await run('let a = 1; for (let i = 0; i < 511; i++) a = [a]; return a');
    assert.equal(JSON.stringify(terminal?.result).length, 1023);
  });

  it('refuses a result of 50,000 levels', async () => {
    const error = await errorOf('let a = 1; for (let i = 0; i < 50000; i++) a = [a]; return a');
    assert.equal(error.kind, 'result');
    assert.match(error.message, /nested/);
  });

  it('carries a result of exactly the limit, and no byte more', async () => {
    const limits = { maxResultBytes: 12 };
    assert.equal(await resultOf("return '1234567890'", { limits }), '1234567890');
    assert.equal((await errorOf("return '12345678901'", { limits })).kind, 'result_limit');
  });

  it('stops at the limit inside an endless result', async () => {
    const error = await errorOf('const a = []; a.length = 4e9; return a');
    assert.equal(error.kind, 'result_limit');
  });

  it('reports a result that does not fit a frame as result_limit', async () => {
    const options = ['--max-frame-bytes', '1000'];
    assert.equal((await errorOf("return 'x'.repeat(990)", { options })).kind, 'result_limit');
  });
});
