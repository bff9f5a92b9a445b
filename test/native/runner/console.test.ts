import assert from 'node:assert/strict';
import { type Frame, run } from './helper.js';

async function logs(code: string, limits = {}): Promise<Frame[]> {
  return (await run(code, { limits })).frames.filter((frame) => frame.type === 'log');
}

async function text(values: string): Promise<string | undefined> {
  return (await logs(`console.log(${values})`))[0]?.text;
}

const formats: [string, string][] = [
  ["'a', 1, true, null, undefined", 'a 1 true null undefined'],
  ["['a', -0, 1n, Symbol('s')]", '[ "a", -0, 1n, Symbol(s) ]'],
  ['{ a: { b: { c: { d: { e: 1 } } } } }', '{ a: { b: { c: { d: [Object] } } } }'],
  ["{ 'a-b': 1, get g() { throw 1 } }", '{ "a-b": 1, g: [Getter] }'],
  ["new Map([['k', { v: 1 }]]), new Set([1])", 'Map(1) { "k" => { v: 1 } } Set(1) { 1 }'],
  ["new Date(0), /x/gi, new TypeError('bad')", '1970-01-01T00:00:00.000Z /x/gi TypeError: bad'],
  ['new Uint8Array([1, 2]), Promise.resolve()', 'Uint8Array(2) [ 1, 2 ] [Promise]'],
  ['function f() {}, () => 1, class A {}', '[Function: f] [Function (anonymous)] [Function: A]'],
  ['new (class Point { x = 1 })(), Object.create(null)', 'Point { x: 1 } [null prototype] {}'],
  ['Array.from({ length: 102 }, () => 0).length, [], {}', '102 [] {}'],
];

describe('code-runner: console', () => {
  it('sends a frame per call, with level, text and a number', async () => {
    const frames = await logs(
      "for (const level of ['log', 'info', 'warn', 'error', 'debug']) console[level](level + '!')",
    );
    assert.deepEqual(
      frames.map(({ level, text, seq }) => [level, text, seq]),
      ['log', 'info', 'warn', 'error', 'debug'].map((level, seq) => [level, `${level}!`, seq]),
    );
  });

  for (const [values, expected] of formats) {
    it(`formats ${values}`, async () => {
      assert.equal(await text(values), expected);
    });
  }

  it('formats a cycle', async () => {
    const frames = await logs('const a = { n: 1 }; a.self = a; console.log(a)');
    assert.equal(frames[0]?.text, '{ n: 1, self: [Circular] }');
  });

  it('never throws, whatever the value', async () => {
    const code = `
      const hostile = [new Proxy({}, { ownKeys() { throw 1 }, getPrototypeOf() { throw 2 } }), { toString() { throw 3 } },
        Object.defineProperty(new Error('x'), 'name', { get() { throw 4 } }), Proxy.revocable({}, {}).proxy];
      const { proxy, revoke } = Proxy.revocable([], {}); revoke();
      for (const value of [...hostile, proxy]) console.log(value);
      return 'alive'`;
    const { terminal } = await run(code);
    assert.equal(terminal?.result, 'alive');
  });

  it('keeps the order of logs and tool calls', async () => {
    const tools = { t: () => null };
    const { frames } = await run("console.log('a'); await tools.t(); console.log('b'); await tools.t()", {
      tools,
    });
    assert.deepEqual(
      frames.map((frame) => frame.text ?? frame.type),
      ['ready', 'a', 'tool.call', 'b', 'tool.call', 'execution.result'],
    );
  });

  it('keeps the logs before a failure', async () => {
    const { frames, terminal } = await run("console.log('before'); null.x");
    assert.equal(frames[1]?.text, 'before');
    assert.equal(terminal?.error?.kind, 'javascript');
  });

  it('sends logs while the program is busy', async () => {
    const { frames, terminal } = await run("console.log('working'); for (;;);", {
      limits: { timeoutMs: 200 },
    });
    assert.equal(frames[1]?.text, 'working');
    assert.equal(terminal?.error?.kind, 'timeout');
  });

  it('cuts what goes over the limit of log bytes, says so once, and goes on silently', async () => {
    const frames = await logs("for (let i = 0; i < 100; i++) console.log('12345')", { maxLogBytes: 12 });
    assert.deepEqual(
      frames.map(({ text, truncated }) => [text, truncated]),
      [
        ['12345', undefined],
        ['12345', undefined],
        ['12', true],
      ],
    );
  });

  it('cuts between two characters', async () => {
    const frames = await logs("console.log('€€')", { maxLogBytes: 5 });
    assert.deepEqual([frames[0]?.text, frames[0]?.truncated], ['€', true]);
  });

  it('sends 10,000 lines at most, however short they are', async () => {
    const frames = await logs('for (let i = 0; i < 20_000; i++) console.log();');
    assert.equal(frames.length, 10_001);
    assert.deepEqual(
      frames.filter(({ truncated }) => truncated).map(({ text, seq }) => [text, seq]),
      [['', 10_000]],
    );
  });

  it('takes 100 MB of logs', async () => {
    const { frames, terminal } = await run(
      "const mega = 'x'.repeat(1e6); for (let i = 0; i < 100; i++) console.log(mega); return 1",
    );
    assert.equal(terminal?.result, 1);
    assert.equal(frames.filter((frame) => frame.type === 'log').length, 1);
  });
});
