import assert from 'node:assert/strict';
import { errorOf, resultOf, run } from './helper.js';

const carried: [string, unknown][] = [
  ['-0', 0],
  ['[1e21, 1.5, -7, 0.1, 2 ** 53, -1e-7]', [1e21, 1.5, -7, 0.1, 2 ** 53, -1e-7]],
  ["'\\u0000\\u2028\\ud800\"\\\\'", '\u0000\u2028\ud800"\\'],
  ['{ a: undefined, b: [undefined, , 1] }', { b: [null, null, 1] }],
  ['new Date(0)', '1970-01-01T00:00:00.000Z'],
  ['{ toJSON: () => undefined }', undefined],
  ['[{ toJSON: () => undefined }, { a: { toJSON() {} }, b: 1 }]', [null, { b: 1 }]],
  ["'\\ud83d\\ude00 \\udc00\\ud800 \\u2029\\r\\n\\u0007'", '😀 \udc00\ud800 \u2029\r\n\u0007'],
  ["{ '\\udc00': 1, '\\u0000': 2, '': 3 }", { '\udc00': 1, '\u0000': 2, '': 3 }],
  ['Object.assign([1], { extra: 2 })', [1]],
  ['Object.assign(Object.create({ inherited: 1 }), { own: 2 })', { own: 2 }],
  [
    "[new Error('e'), new (class Mine extends RangeError { name = 'Mine' })('m'), new DOMException('d', 'AbortError')]",
    [
      { name: 'Error', message: 'e' },
      { name: 'Mine', message: 'm' },
      { name: 'AbortError', message: 'd' },
    ],
  ],
  ["Object.assign(new Error('e'), { toJSON: () => 1, code: 2 })", { name: 'Error', message: 'e' }],
  ['(BigInt.prototype.toJSON = function () { return String(this) }, { a: 7n })', { a: '7' }],
  ["Object.assign(new Date(0), { toJSON: () => 'mine' })", 'mine'],
  [
    "new Proxy({ a: 1, b: [2] }, { get: (o, key) => (key === 'a' ? 'seen' : o[key]) })",
    { a: 'seen', b: [2] },
  ],
  ["{ ['__proto__']: { x: 1 }, constructor: 2 }", JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')],
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
  ['{ when: new Date(NaN) }', '$.when', /invalid Date/],
  ["[new Date('nonsense')]", '$[0]', /invalid Date/],
  ['{ d: new DataView(new ArrayBuffer(1)) }', '$.d', /binary/],
  ['Object.assign(new Uint8Array(2), { toJSON: () => 1 })', '$', /binary/],
  ['Object.assign(new Map(), { toJSON: () => 1 })', '$', /Map.*convert/],
  ['{ f: Object.assign(() => 1, { toJSON: () => 1 }) }', '$.f', /function/],
  ['{ f: new Proxy(() => 1, {}) }', '$.f', /function/],
  ['{ c: class {} }', '$.c', /function/],
  ['Object(Symbol())', '$', /symbol/],
  ['{ toJSON: () => NaN }', '$', /NaN/],
  ['[{ toJSON: () => [1, { b: new Set() }] }]', '$[0][1].b', /Set/],
  ['{ get a() { throw null } }', '$.a', /getter/],
  ['{ get toJSON() { throw 1 } }', '$', /toJSON/],
  ['new Proxy({ a: 1 }, { get(o, key) { if (key === "a") throw 1 } })', '$.a', /getter/],
  [
    '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy } })()',
    '$.proxy',
    /./,
  ],
  ["{ 'a\\u2028\"b': { [''] : 1n } }", '$["a\u2028\\"b"][""]', /BigInt/],
  ['{ gone: new WeakRef({}) }', '$.gone', /weak/],
  ['[[async () => {}]]', '$[0][0]', /function/],
  ['{ p: (async () => {})() }', '$.p', /await it/],
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

  it('treats the arguments of tools in the same way', async () => {
    const sent = carried
      .map(([expression]) => expression)
      .filter((expression) => !expression.includes('BigInt'));
    const code = `const all = [${sent.map((expression) => `async () => tools.t({ v: ${expression} })`).join()}];
      const values = []; for (const send of all) values.push(await send()); return values`;
    const received: unknown[] = [];
    await run(code, { tools: { t: (input) => received.push(input) } });
    const key = (value: unknown) => (value === undefined ? {} : { v: value });
    const expected = carried.filter(([expression]) => sent.includes(expression));
    assert.deepEqual(
      received,
      expected.map(([expression, value]) =>
        // Two of them say with which key they were asked.
        expression.includes('(key)') && !expression.includes('a: {') ? { v: ['key', 'v'] } : key(value),
      ),
    );
  });

  it('refuses arguments of tools for the same reasons, naming the place, and sends nothing', async () => {
    const code = `const all = [${refused.map(([expression]) => `async () => tools.t({ v: ${expression} })`).join()}];
      const messages = []; for (const send of all) messages.push(await send().then(() => 'sent', (e) => \`\${e.name}: \${e.message}\`)); return messages`;
    const messages = (await resultOf(code, { tools: { t: () => assert.fail('sent') } })) as string[];
    for (const [index, [, path, reason]] of refused.entries()) {
      assert.match(messages[index] ?? '', reason);
      assert.ok(
        messages[index]?.startsWith(`TypeError: the argument of a tool cannot be sent: $.v${path.slice(1)} `),
        messages[index],
      );
    }
  });

  it('calls toJSON once, also where it gives something that has one', async () => {
    const code = `let n = 0; const value = { toJSON() { n++; return { toJSON() { n += 100; return 1 } } } };
      try { await tools.t({ value }) } catch {} return n`;
    assert.equal(await resultOf(code, { tools: { t: () => 1 } }), 1);
  });

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
