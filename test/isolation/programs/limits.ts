/** More than its limits give: time, memory, stack, logs, results. */
import assert from 'node:assert/strict';
import { fails, type ProgramAttack, returns } from './attack.js';

const TIMEOUT_MS = 60;
const MEMORY_BYTES = 4 * 2 ** 20;
/** What a sandbox may have of memory besides: the engine’s own, and what the kernel counts late. */
const MORE_BYTES = 16 * 2 ** 20;
const LOG_BYTES = 65_536;
const LOG_LINES = 10_000;

/** All at once; none of them ends before its time, and none goes on. */
function stoppedAtTheDeadline(name: string, programs: readonly string[]): ProgramAttack {
  return {
    name,
    end: 'timeout, at the deadline',
    async attempt(scene) {
      const ends = await scene.assertAllFail(programs, 'timeout', { limits: { timeoutMs: TIMEOUT_MS } });
      for (const [index, { run }] of ends.entries()) {
        assert.equal(run.ok || run.error.code, undefined, programs[index]);
        // The time in which it ends is its own; how soon a busy machine tells us is not.
        assert.ok(run.usage.runMs >= TIMEOUT_MS - 1, `${programs[index]}: ${run.usage.runMs} ms`);
      }
    },
  };
}

/** All at once: each reaches its limit, and the kernel has never seen much more of it. */
function outOfMemory(name: string, programs: readonly string[]): ProgramAttack {
  return {
    name,
    end: 'memory, at the limit',
    async attempt(scene) {
      const limits = { memoryBytes: MEMORY_BYTES };
      for (const [index, { run }] of (await scene.assertAllFail(programs, 'memory', { limits })).entries()) {
        const { maxRssBytes } = run.receipt.usage;
        assert.ok(maxRssBytes < MEMORY_BYTES + MORE_BYTES, `${programs[index]}: ${maxRssBytes} bytes`);
      }
    },
  };
}

const logsOf = (scene: Parameters<ProgramAttack['attempt']>[0], code: string) =>
  scene.run(code, { limits: { maxLogBytes: LOG_BYTES } });

export const LIMIT_ATTACKS: readonly ProgramAttack[] = [
  stoppedAtTheDeadline('CPU time without end: loops, jobs, timers, generators', [
    'for (;;);',
    'for (;;) { try { for (;;); } catch {} finally { for (;;); } }',
    'while (true) await null',
    'const next = () => Promise.resolve().then(next); await next()',
    'Promise.resolve().then(() => { for (;;); }); await null; await null; await null',
    'setInterval(() => {}, 0); await new Promise(() => {})',
    'setTimeout(function again() { setTimeout(again, 0) }, 0); await new Promise(() => {})',
    'function* all() { for (;;) yield 1 } for (const one of all());',
    "const text = 'for (;;);'; eval(text)",
  ]),
  stoppedAtTheDeadline(
    'CPU time without end, while its host reads what it gives: getters, toJSON, proxies, then',
    [
      'return { get a() { for (;;); } }',
      'return { toJSON() { for (;;); } }',
      'return new Proxy({}, { ownKeys() { for (;;); } })',
      'return { then() { for (;;); } }',
      'await tools.echo({ toJSON() { for (;;); } })',
      'await tools.echo({ get a() { for (;;); } })',
      "throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } })",
      "throw Object.defineProperty(new Error('x'), 'stack', { get() { for (;;); } })",
      'console.log({ get a() { return 1 } }, new Proxy({}, { getPrototypeOf() { for (;;); } })); for (;;);',
    ],
  ),
  stoppedAtTheDeadline(
    'one long built-in function: a regular expression that backtracks, sorting, searching, joining',
    [
      "return /^(a+)+$/.test('a'.repeat(40) + '!')",
      "return 'a'.repeat(40).replace(/(a|a)*b/g, '')",
      "return 'a'.repeat(2 ** 20).indexOf('a'.repeat(2 ** 19) + 'b')",
      'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
      'return [2, 1].sort(() => { for (;;); })',
      "return (new Array(1e9) + '').length",
      'return (7n ** 300000n).toString().length + (7n ** 300001n).toString().length',
      'const bytes = new Uint8Array(2 ** 22); for (;;) bytes.fill(1).sort()',
    ],
  ),
  {
    name: 'CPU time over its own limit',
    end: 'timeout (CPU_TIME_EXCEEDED)',
    async attempt(scene) {
      const programs = [
        'for (;;);',
        'while (true) await null',
        "return /^(a+)+$/.test('a'.repeat(40) + '!')",
      ];
      const ends = await scene.assertAllFail(programs, 'timeout', { limits: { cpuMs: 50 } });
      for (const { run } of ends) assert.equal(run.ok || run.error.code, 'CPU_TIME_EXCEEDED');
    },
  },
  {
    name: 'a wait without end: for a tool, for what never comes',
    end: 'timeout; javascript at once where nothing can come',
    async attempt(scene) {
      await scene.assertAllFail(['await tools.wait()'], 'timeout', { limits: { timeoutMs: TIMEOUT_MS } });
      const [never] = await scene.assertAllFail(['await new Promise(() => {})'], 'javascript');
      assert.match(JSON.stringify(never), /never settles/);
    },
  },
  outOfMemory('4 GiB of memory, bit by bit: arrays, texts, buffers, objects, big integers', [
    'const all = []; for (;;) all.push(new Array(1000).fill(1))',
    "const all = []; for (let i = 0; ; i++) all.push('x'.repeat(2 ** 16) + i)",
    "let text = 'x'; for (;;) { text += text; text.charCodeAt(0) }",
    'const all = []; for (;;) all.push(new ArrayBuffer(2 ** 16))',
    'const all = []; for (;;) all.push(new SharedArrayBuffer(2 ** 16))',
    'const all = new Map(); for (let i = 0; ; i++) all.set(i, { i })',
    'const all = []; for (;;) all.push(1n << 500000n)',
    'const all = []; for (;;) all.push(() => all)',
    'const all = []; for (;;) { all.push({}); await null }',
    'const all = []; for (;;) all.push(Promise.reject(all))',
    'const all = []; [1].forEach(() => { for (;;) all.push(Symbol()) })',
  ]),
  fails(
    'a text that is doubled without end',
    'javascript',
    ["let text = 'x'; for (;;) text += text"],
    {},
    'javascript: it is too long',
  ),
  outOfMemory('2 GiB of memory at once: a text, a buffer, a buffer that grows, an array', [
    "return 'x'.repeat(2 ** 30 - 2).length",
    'return new ArrayBuffer(2 ** 31 - 1).byteLength',
    'const buffer = new ArrayBuffer(8, { maxByteLength: 2 ** 31 - 1 }); buffer.resize(2 ** 31 - 1)',
    'return new SharedArrayBuffer(2 ** 31 - 1).byteLength',
    'return new Array(2 ** 32 - 1).fill(0).length',
  ]),
  outOfMemory('more memory, with its end caught', [
    'const all = []; for (;;) { try { for (;;) all.push({}) } catch {} finally { all.push({}) } }',
    "for (let i = 0; i < 3; i++) { try { 'x'.repeat(2 ** 29) } catch {} } return 'went on'",
    "try { new ArrayBuffer(2 ** 31 - 1) } catch {} return 'went on'",
    "await Promise.resolve().then(() => { const all = []; for (;;) all.push({}) }).catch(() => {}); return 'went on'",
  ]),
  returns(
    'a size that no memory has: texts, buffers, big integers',
    `const made = [() => 'x'.repeat(2 ** 32), () => new ArrayBuffer(2 ** 32), () => new Float64Array(2 ** 30), () => 1n << (2n ** 35n),
       () => new ArrayBuffer(8, { maxByteLength: 2 ** 32 }), () => 'x'.padEnd(2 ** 40), () => new Array(2 ** 32)];
     return made.map((make) => { try { return typeof make() } catch (error) { return error.name } })`,
    Array(7).fill('RangeError'),
    'RangeError',
  ),
  fails(
    'recursion without end: calls, accessors, built-in functions, the parser, JSON, proxies',
    'javascript',
    [
      'const f = () => f() + 1; return f()',
      'const o = { get a() { return this.a } }; return o.a',
      'const f = () => [1].map(f); return f()',
      'const f = () => String({ toString: f }); return f()',
      "return JSON.parse('['.repeat(100000) + ']'.repeat(100000))",
      "return eval('('.repeat(50000) + ')'.repeat(50000))",
      "return new RegExp('(?:'.repeat(50000) + ')'.repeat(50000)).test('x')",
      'let p = {}; for (let i = 0; i < 100000; i++) p = new Proxy(p, {}); return p.x',
      'return Math.max(...new Array(1000000).fill(1))',
    ],
  ),
  returns(
    'recursion without end, two hundred times, with its end caught',
    `const names = new Set(); const f = () => f() + 1;
     for (let i = 0; i < 200; i++) { try { f() } catch (error) { names.add(error.name) } }
     return [...names]`,
    ['RangeError'],
    'RangeError each time; it goes on',
  ),
  {
    name: 'a flood of logs: 10 MB, fifty thousand lines',
    end: 'cut, and said so; it goes on',
    async attempt(scene) {
      const floods = [
        "for (let i = 0; i < 10; i++) console.log('x'.repeat(1e6)); return 'end'",
        "for (let i = 0; i < 1e4; i++) console.log('x'.repeat(100)); return 'end'",
        "for (let i = 0; i < 5e4; i++) console.log(''); return 'end'",
      ];
      for (const [index, { run }] of (
        await Promise.all(floods.map((code) => logsOf(scene, code)))
      ).entries()) {
        const code = floods[index];
        assert.equal(run.ok && run.value, 'end', code);
        assert.equal(run.logsTruncated, true, code);
        assert.ok(run.logs.length > 0 && run.logs.length <= LOG_LINES, `${code}: ${run.logs.length} lines`);
        assert.ok(run.logs.reduce((bytes, { text }) => bytes + text.length, 0) <= LOG_BYTES, code);
      }
    },
  },
  {
    name: 'a flood of logs without end',
    end: 'timeout',
    async attempt(scene) {
      const { run } = await scene.run('for (;;) console.log(1)', { limits: { timeoutMs: TIMEOUT_MS } });
      assert.equal(run.ok || run.error.kind, 'timeout');
      assert.ok(run.usage.runMs >= TIMEOUT_MS - 1, `${run.usage.runMs} ms`);
      assert.ok(run.logs.length <= LOG_LINES, `${run.logs.length} lines`);
    },
  },
  {
    name: 'logs that cannot be shown: cycles, proxies, getters, depth, size',
    end: 'a short text for each; it goes on',
    async attempt(scene) {
      const code = `const hostile = () => { throw 1 };
        const cycle = []; cycle.push(cycle); console.log(cycle);
        console.log(new Proxy({}, { get: hostile, ownKeys: hostile, getPrototypeOf: hostile, getOwnPropertyDescriptor: hostile }));
        console.log({ get a() { throw 1 }, toString: hostile, toJSON: hostile, [Symbol.toPrimitive]: hostile });
        let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep }; console.log(deep);
        console.log(new Array(1e8));
        console.log(Array.from({ length: 1e5 }, () => ({})));
        return 'end'`;
      const { run } = await logsOf(scene, code);
      assert.equal(run.ok && run.value, 'end');
      assert.equal(run.logs.length, 6);
      for (const { text } of run.logs) assert.ok(text.length < 8_192, `${text.length}`);
    },
  },
  fails('a result over its limit, and one without end', 'result_limit', [
    "return 'x'.repeat(1e6)",
    'const all = []; all.length = 4e9; return all',
    'let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a',
    "return { toJSON() { return 'x'.repeat(1e6) } }",
  ]),
  fails('a result that is too deep, that refers to itself, that cannot be read', 'result', [
    'let a = 1; for (let i = 0; i < 50000; i++) a = [a]; return a',
    'const a = {}; a.b = [a]; return a',
    'const next = () => new Proxy({ a: 1 }, { get: next }); return { a: next() }',
    'return { get a() { throw 1 } }',
    'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy }',
  ]),
  {
    name: 'twenty thousand rejections that nobody handles',
    end: 'a few warnings; it goes on',
    async attempt(scene) {
      const code =
        "for (let i = 0; i < 2e4; i++) Promise.reject(new Error('x' + i)); await null; await null; return 'end'";
      const { run } = await scene.run(code);
      assert.equal(run.ok && run.value, 'end');
      assert.ok(run.warnings.length > 0 && run.warnings.length < 16, `${run.warnings.length} warnings`);
    },
  },
  {
    name: 'what it started, when it is over: timers, jobs, calls',
    end: 'gone with it',
    async attempt(scene) {
      const { run, handled } = await scene.run(
        `const late = () => { tools.echo({ late: true }); console.log('late') };
         setInterval(late, 0); setTimeout(late, 1);
         Promise.resolve().then(function again() { return Promise.resolve().then(again) });
         return 'end'`,
      );
      assert.equal(run.ok && run.value, 'end');
      assert.deepEqual([run.logs, run.toolCalls, handled], [[], [], []]);
    },
  },
];
