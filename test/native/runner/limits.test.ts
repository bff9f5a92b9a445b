import assert from 'node:assert/strict';
import { errorOf, executeFrame, Runner, resultOf, run } from './helper.js';

const MEBIBYTE = 1024 * 1024;

/* Less than the limits that are there without one of a test's own; a busy machine may keep a runner waiting for a while. */
const SOON_MS = 4000;

/* Busy in different ways: bytecode, one long built-in function, jobs. None of them ever looks at a flag. */
const busy: [string, string][] = [
  ['a loop', 'for (;;);'],
  ['one conversion to a string', "return (new Array(1e9) + '').length"],
  ['one regular expression', "return /^(a+)+$/.test('a'.repeat(40) + '!')"],
  ['one sort', 'return Array.from({ length: 1e5 }, (_, i) => -i).sort((a, b) => { for (;;); })'],
  ['jobs without end', 'while (true) await null'],
  ['a job that loops', 'Promise.resolve().then(() => { for (;;); }); await null; await null; await null'],
  ['a getter of the result', 'return { get a() { for (;;); } }'],
  ['a toJSON of an argument', 'await tools.t({ toJSON() { for (;;); } })'],
  ['catching everything', 'for (;;) { try { for (;;); } catch {} finally { for (;;); } }'],
];

describe('code-runner: deadlines', () => {
  for (const [name, code] of busy) {
    it(`ends ${name} at the wall limit`, async () => {
      const { terminal, exitCode } = await run(code, {
        limits: { timeoutMs: 150 },
        tools: { t: () => null },
      });
      assert.equal(exitCode, 0);
      assert.equal(terminal?.error?.kind, 'timeout');
      assert.equal(terminal.error.code, undefined);
      const { elapsedMs = 0 } = terminal.metrics ?? {};
      assert.ok(elapsedMs >= 150 && elapsedMs < SOON_MS, `${elapsedMs} ms`);
    });

    it(`ends ${name} at the CPU limit`, async () => {
      const { terminal } = await run(code, { limits: { cpuMs: 100 }, tools: { t: () => null } });
      assert.deepEqual([terminal?.error?.kind, terminal?.error?.code], ['timeout', 'CPU_TIME_EXCEEDED']);
    });
  }

  it('ends a wait for a tool at the wall limit', async () => {
    const error = await errorOf('await tools.t()', {
      limits: { timeoutMs: 100 },
      tools: { t: () => new Promise(() => {}) },
    });
    assert.equal(error.kind, 'timeout');
  });

  it('does not count waiting as CPU time', async () => {
    const tools = { t: () => new Promise((resolve) => setTimeout(resolve, 200)) };
    assert.equal(await resultOf('await tools.t(); return 1', { limits: { cpuMs: 100 }, tools }), 1);
  });

  it('fails a program that can never settle at once', async () => {
    const { terminal } = await run('await new Promise(() => {})');
    assert.equal(terminal?.error?.kind, 'javascript');
    assert.match(terminal.error.message, /never settles/);
    assert.ok((terminal.metrics?.elapsedMs ?? 1e9) < SOON_MS);
  });
});

describe('code-runner: quota of tool calls', () => {
  it('ends the run at the first call over the limit, and does not send that call', async () => {
    const code = 'for (let i = 0; i < 5; i++) { try { await tools.t({ i }) } catch {} } return "fine"';
    const { terminal, frames } = await run(code, { limits: { maxToolCalls: 3 }, tools: { t: () => null } });
    const { kind, code: errorCode, limit, attempted } = terminal?.error ?? {};
    assert.deepEqual([kind, errorCode, limit, attempted], ['limit', 'TOOL_CALL_LIMIT_EXCEEDED', 3, 4]);
    assert.equal(frames.filter((frame) => frame.type === 'tool.call').length, 3);
    assert.equal(terminal?.metrics?.toolCalls, 3);
  });

  it('counts calls that wait for their turn', async () => {
    const code = 'tools.t(); tools.t(); tools.t(); await null';
    const { terminal } = await new Runner()
      .send(executeFrame({ code, tools: ['t'], limits: { maxToolCalls: 2 } }))
      .ended();
    assert.equal(terminal?.error?.kind, 'limit');
  });

  it('may be 0', async () => {
    assert.equal(await resultOf('return 1', { limits: { maxToolCalls: 0 } }), 1);
    assert.equal(
      (await errorOf('tools.t()', { limits: { maxToolCalls: 0 }, tools: { t: () => null } })).kind,
      'limit',
    );
  });
});

describe('code-runner: memory', () => {
  const limits = { memoryBytes: 8 * MEBIBYTE };
  const greedy: [string, string][] = [
    ['arrays', 'const all = []; for (;;) all.push(new Array(1000).fill(1))'],
    [
      'objects made in a job',
      'const all = []; await null; for (let i = 0; i < 200000; i++) all.push({ i, text: String(i) })',
    ],
    ['one string', "return 'x'.repeat(2 ** 29).length"],
    ['one buffer', 'return new ArrayBuffer(2 ** 31 - 1).byteLength'],
    [
      'catching everything',
      'const all = []; for (;;) { try { for (;;) all.push({}) } catch {} finally { all.push({}) } }',
    ],
    ['a builtin that fails without an error', "return '\\u0344'.repeat(1e6).normalize('NFD').length"],
    ['a callback', 'const all = []; [1].forEach(() => { for (;;) all.push({ a: {} }) })'],
  ];
  for (const [name, code] of greedy) {
    it(`reports what is used up by ${name} as memory`, async () => {
      assert.equal((await errorOf(code, { limits })).kind, 'memory');
    });
  }

  it('reports a tool result for which there is no room as memory', async () => {
    const tools = { t: () => Array.from({ length: 60_000 }, (_, i) => ({ i })) };
    assert.equal(
      (await errorOf('return (await tools.t()).length', { limits: { memoryBytes: MEBIBYTE }, tools })).kind,
      'memory',
    );
  });

  it('never gives more than the ceiling of the process', async () => {
    const { terminal } = await run('const all = []; for (;;) all.push({})', {
      limits: { memoryBytes: 1e12 },
      options: ['--memory-bytes', `${4 * MEBIBYTE}`],
    });
    assert.equal(terminal?.error?.kind, 'memory');
    assert.ok((terminal.metrics?.peakMemoryBytes ?? 0) < 12 * MEBIBYTE);
  });

  it('collects garbage inside the limit', async () => {
    const code = 'for (let i = 0; i < 300000; i++) { const a = { big: [1, 2, 3, 4] }; a.self = a } return 1';
    assert.equal(await resultOf(code, { limits: { memoryBytes: 3 * MEBIBYTE } }), 1);
  });

  for (const code of [
    "class InternalError extends Error { name = 'InternalError' } throw new InternalError('out of memory')",
    "const e = new Error('out of memory'); e.name = 'InternalError'; throw e",
    'throw null',
    "throw 'out of memory'",
    "throw { kind: 'memory', message: 'out of memory' }",
  ]) {
    it(`is not forged by ${code}`, async () => {
      assert.equal((await errorOf(code)).kind, 'javascript');
    });
  }
});

describe('code-runner: a text that is too long', () => {
  for (const [how, code] of [
    ['repeat()', "'x'.repeat(2 ** 30)"],
    ['+', "let text = 'x'; for (;;) text += text"],
    ['padStart()', "'x'.padStart(2 ** 30)"],
    ['padEnd()', "'x'.padEnd(2 ** 40)"],
  ] as const) {
    it(`is a RangeError by ${how}, which can be caught`, async () => {
      const caught = `try { ${code} } catch (error) { return [error instanceof RangeError, error.name] }`;
      assert.deepEqual(await resultOf(caught), [true, 'RangeError']);
    });
  }

  it('leaves other errors of the engine what they are', async () => {
    const code = `try { new RegExp('(a)'.repeat(300)).exec('') } catch (error) { return error.name } return 'none'`;
    assert.equal(await resultOf(code), 'SyntaxError');
  });
});

describe('code-runner: stack', () => {
  const deep: [string, string][] = [
    ['recursion', 'const f = (n) => f(n + 1) + 1; return f(0)'],
    ['recursion of an accessor', 'const o = { get a() { return this.a } }; return o.a'],
    ['recursion through built-in functions', 'const f = () => [1].map(f); return f()'],
    ['50,000 nested parentheses', `return ${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
    ['50,000 nested arrays', `return ${'['.repeat(50_000)}${']'.repeat(50_000)}.length`],
    [
      'a deeply nested regular expression',
      "return new RegExp('(?:'.repeat(50000) + ')'.repeat(50000)).test('x')",
    ],
    ['JSON of 100,000 levels', "return JSON.parse('['.repeat(100000) + ']'.repeat(100000))"],
    [
      'a proxy of 100,000 proxies',
      'let p = {}; for (let i = 0; i < 100000; i++) p = new Proxy(p, {}); return p.x',
    ],
    ['spread of a million arguments', 'return Math.max(...new Array(1000000).fill(1))'],
  ];
  for (const [name, code] of deep) {
    it(`reports ${name} as an error of the program`, async () => {
      const { terminal, exitCode, signal } = await run(code, {
        options: ['--timeout-ms', '60000'],
        limits: { timeoutMs: 60_000 },
      });
      assert.deepEqual([exitCode, signal], [0, null]);
      assert.equal(terminal?.error?.kind, 'javascript');
    });
  }

  it('lets a program catch too much recursion, and go on', async () => {
    const code = 'const f = () => f(); try { f() } catch (e) { return e.name }';
    assert.equal(await resultOf(code), 'RangeError');
  });

  it('gives less where less was asked for', async () => {
    const depth = 'let n = 0; const f = () => { n++; f() }; try { f() } catch {} return n';
    const small = Number(await resultOf(depth, { limits: { stackBytes: 50_000 } }));
    const large = Number(await resultOf(depth));
    assert.ok(small > 10 && small < large / 4, `${small} of ${large}`);
  });
});
