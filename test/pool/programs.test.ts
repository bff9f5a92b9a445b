/** Programs as models write them, end to end: what runs, what is reported of it, and every way in which one can fail. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createPool, type Pool, type RunErrorKind, type RunOptions } from 'wardenpool';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

const tools = {
  getUser: ({ id }: { id: number }) => ({ id, name: `user ${id}` }),
  'a-b': () => 'dashed',
  'github.list': () => ['x'],
};

/** Submitted, its value, its rule and its language. */
const VALUES: [code: string, value: unknown, rule: string, language?: 'ts'][] = [
  ['const u = await tools.getUser({ id: 1 }); return u.name', 'user 1', 'statements'],
  ['const u = await tools.getUser({ id: 1 });\nu.name', 'user 1', 'last-expression'],
  ['tools.getUser({ id: 2 })', { id: 2, name: 'user 2' }, 'expression'],
  ['async () => {\n  return (await tools.getUser({ id: 3 })).name;\n}', 'user 3', 'function'],
  ['async ({ tools }) => (await tools.getUser({ id: 4 })).name', 'user 4', 'function'],
  ['async ({ getUser }) => (await getUser({ id: 5 })).name', 'user 5', 'function'],
  ['async function main() { return 6 }', 6, 'function'],
  ['function () { return 7 }', 7, 'function'],
  ['(async () => { return 8 })()', 8, 'expression'],
  ['const main = async () => 9;\nawait main();', 9, 'last-expression'],
  ['async function main() { return 10 }\nmain().catch(console.error);', 10, 'last-expression'],
  ['export default async () => 11', 11, 'default-export'],
  ['export default async function run() { return 12 } // c', 12, 'default-export'],
  ['Here is the program:\n\n```js\nreturn 13;\n```\n\nIt returns 13.', 13, 'fence+statements'],
  ['```ts\nconst n: number = 14;\nn\n```', 14, 'fence+last-expression', 'ts'],
  ['interface A { n: number }\nconst a: A = { n: 15 };\nreturn a.n as number;', 15, 'statements', 'ts'],
  ['{ "a": [16] }', { a: [16] }, 'expression'],
  ['// only this\n17 // seventeen', 17, 'expression'],
  ['#!/usr/bin/env node\nreturn 18', 18, 'statements'],
  ["'use strict';\nlet x = 19;\nx", 19, 'last-expression'],
];

interface Failing {
  what: string;
  code: string;
  kind: RunErrorKind;
  message?: RegExp;
  hint?: RegExp;
  line?: number;
  limits?: RunOptions['limits'];
}

const FAILURES: Failing[] = [
  { what: 'null.x on line 3', code: '\n\nnull.x', kind: 'javascript', line: 3 },
  { what: 'null.x on line 3, returned', code: 'const a = 1;\n\nnull.x // c', kind: 'javascript', line: 3 },
  {
    what: 'an error inside a function',
    code: 'function f() {\n  null.x;\n}\n\nf()',
    kind: 'javascript',
    line: 2,
  },
  {
    what: 'a syntax error on line 4 behind a fence',
    code: 'Sure!\n\n```js\nconst = 1;\n```',
    kind: 'javascript',
    line: 4,
  },
  { what: 'an error behind a fence', code: 'Sure:\n\n```js\nnull.x;\n```\n', kind: 'javascript', line: 4 },
  {
    what: 'an error in TypeScript',
    code: 'type A = 1;\nconst a: A = 1;\nnull.x',
    kind: 'javascript',
    line: 3,
  },
  {
    what: 'a syntax error in TypeScript',
    code: 'const a: A = 1;\nconst b: = 2',
    kind: 'javascript',
    line: 2,
  },
  { what: 'an enum', code: 'const a = 1;\nenum A { B }', kind: 'javascript', line: 2, hint: /const object/ },
  { what: 'an import', code: '\nimport fs from "fs"', kind: 'javascript', line: 2, hint: /tools\.getUser/ },
  {
    what: 'a require',
    code: 'const x = require("axios")',
    kind: 'javascript',
    line: 1,
    hint: /tools\.getUser/,
  },
  { what: 'an import()', code: 'await import("fs")', kind: 'javascript', hint: /no modules/ },
  { what: 'import.meta', code: 'return import.meta', kind: 'javascript', hint: /no modules/ },
  { what: 'a shell command that parses', code: 'ls -la', kind: 'javascript', hint: /shell/ },
  { what: 'a shell command', code: 'npm install left-pad', kind: 'javascript', hint: /shell/ },
  { what: 'a word of prose', code: 'Done', kind: 'javascript', hint: /no program/ },
  { what: 'a sentence', code: 'I will now call the tool.', kind: 'javascript', hint: /prose/ },
  { what: 'a note', code: 'Answer: 42', kind: 'javascript', message: /no program/ },
  { what: 'an address', code: 'https://example.com/a', kind: 'javascript', hint: /address/ },
  {
    what: 'a tool call in JSON',
    code: '{"name":"getUser","arguments":{}}',
    kind: 'javascript',
    message: /tool call/,
  },
  { what: 'only comments', code: '// nothing\n/* at all */', kind: 'javascript', message: /empty/ },
  { what: 'an empty fence', code: '```js\n```', kind: 'javascript', message: /empty/ },
  { what: 'two programs', code: '```js\n1\n```\n```js\n2\n```', kind: 'javascript', message: /2 fenced/ },
  { what: 'typographic quotes', code: 'return “x”', kind: 'javascript', hint: /straight quotes/ },
  { what: 'a brace too many', code: 'return 1\n}', kind: 'javascript' },
  {
    what: 'a text that closes its function',
    code: '}); globalThis.x = 1; (async () => {',
    kind: 'javascript',
  },
  { what: 'a misspelt tool', code: 'await tools.getUsr({})', kind: 'javascript', hint: /tools\.getUser\?/ },
  {
    what: 'a tool that nobody awaited',
    code: 'const u = tools.getUser({ id: 1 }); return u.name.length',
    kind: 'javascript',
    hint: /await/,
  },
  { what: 'fetch', code: 'await fetch("https://x")', kind: 'javascript', hint: /no network/ },
  { what: 'an undeclared variable', code: 'total = 1', kind: 'javascript', hint: /let total/ },
  {
    what: 'a failure that a script would only report',
    code: 'main().catch(console.error);\nasync function main() {\n  null.x;\n}',
    kind: 'javascript',
    line: 3,
  },
  {
    what: 'a function of a program that throws',
    code: 'async () => {\n  throw new Error("x");\n}',
    kind: 'javascript',
    line: 2,
  },
  {
    what: 'a list of promises',
    code: '[1, 2].map((id) => tools.getUser({ id }))',
    kind: 'result',
    hint: /Promise\.all/,
  },
  { what: 'a function as a result', code: 'return tools.getUser', kind: 'result', hint: /call it/ },
  { what: 'a loop', code: 'for(;;){}', kind: 'timeout', limits: { timeoutMs: 50 } },
  {
    what: 'a loop that is the last expression',
    code: '(() => { for(;;); })()',
    kind: 'timeout',
    limits: { timeoutMs: 50 },
  },
  {
    what: 'a power that no memory can hold',
    code: 'const n = 7n ** 100000000n; n.toString()',
    kind: 'javascript',
  },
  {
    what: 'a large power as text',
    code: 'const n = 7n ** 300000n; for (;;) n.toString()',
    kind: 'timeout',
    limits: { timeoutMs: 100 },
  },
  { what: 'a long array as text', code: "new Array(1e9) + ''", kind: 'timeout', limits: { timeoutMs: 50 } },
  {
    what: 'a regular expression',
    code: "/^(a+)+$/.test('a'.repeat(40)+'!')",
    kind: 'timeout',
    limits: { timeoutMs: 50 },
  },
  {
    what: 'a promise that never settles',
    code: 'await new Promise(() => {})',
    kind: 'javascript',
    message: /never settles/,
  },
  {
    what: 'the same, returned',
    code: 'new Promise(() => {})',
    kind: 'javascript',
    message: /never settles/,
    hint: /resolve/,
  },
  {
    what: 'a loop in a job',
    code: 'Promise.resolve().then(() => { for(;;); })',
    kind: 'timeout',
    limits: { timeoutMs: 50 },
  },
  {
    what: 'a loop of jobs',
    code: 'const f = () => Promise.resolve().then(f); await f()',
    kind: 'timeout',
    limits: { timeoutMs: 50 },
  },
  {
    what: 'deep recursion',
    code: 'const f = (n) => n === 0 ? 0 : 1 + f(n - 1); f(100000)',
    kind: 'javascript',
    message: /stack/i,
    hint: /loop/,
  },
  {
    what: 'nested parentheses',
    code: `return ${'('.repeat(50_000)}1${')'.repeat(50_000)}`,
    kind: 'javascript',
  },
  {
    what: 'a deep result',
    code: 'let a = []; for (let i = 0; i < 50000; i++) a = [a]; a',
    kind: 'result',
    hint: /flatter|plain/,
  },
  {
    what: 'memory in a job',
    code: 'await Promise.resolve().then(() => { globalThis.a = []; for (let i = 0; i < 200000; i++) a.push({ i, s: [i, i, i] }); })',
    kind: 'memory',
    limits: { memoryBytes: 8_388_608 },
    hint: /Keep less/,
  },
  {
    what: 'a BigInt in the result',
    code: 'const a = { b: [1n] }; a',
    kind: 'result',
    hint: /String\(value\)/,
  },
  { what: 'a large result', code: "'x'.repeat(1e6)", kind: 'result_limit', hint: /summary/ },
];

/** Causes that a model has to tell from each other, one program for each. */
const DISTINCT_CAUSES: [code: string, limits?: RunOptions['limits']][] = [
  ['for (;;);', { timeoutMs: 50 }],
  ['for (;;);', { cpuMs: 50 }],
  ['const a = []; for (;;) a.push(new Array(1e5).fill(1))'],
  ['function f() { f() } f()'],
  ['await new Promise(() => {})'],
  ['for (;;) await tools["a-b"]()', { maxToolCalls: 2 }],
  ['return [tools.getUser({ id: 1 })]'],
  ['return () => 1'],
  ['return 1n'],
  ["return 'x'.repeat(1e6)"],
  ['return 1 // x', { maxCodeBytes: 10 }],
  [' '],
  ['// x'],
  ['import "x"'],
  ['require(x)'],
  ['enum A { B }'],
  ['{"name":"getUser","arguments":{}}'],
  ['Note: x'],
  ['```js\n1\n```\n```js\n2\n```'],
  ['```python\n1\n```'],
  ['missing()'],
  ['null.x'],
  ['tools.getUsr()'],
  ['return 1 }'],
];

describe('pool: programs as models write them', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  for (const [code, value, rule, language = 'js'] of VALUES) {
    it(`runs ${JSON.stringify(code)}`, async () => {
      const run = await pool.run(code, tools);
      assert.deepEqual(run.ok ? run.value : run.error, value);
      assert.deepEqual(run.program, { language, rule });
      assert.equal(run.receipt.codeDigest, digest(code));
      const isSame = rule === 'statements' && language === 'js' && !code.startsWith('#!');
      assert.equal(run.receipt.programDigest === run.receipt.codeDigest, isSame);
    });
  }

  for (const { what, code, kind, message, hint, line, limits } of FAILURES) {
    it(`reports ${what} as ${kind}`, async () => {
      const run = await pool.run(code, tools, { limits });
      assert.ok(!run.ok, 'it succeeded');
      const { error } = run;
      assert.equal(error.kind, kind, error.message);
      if (message !== undefined) assert.match(error.message, message);
      if (hint !== undefined) assert.match(error.hint ?? '', hint);
      if (line === undefined) return;
      assert.equal(error.position?.line, line, JSON.stringify(error));
      assert.equal(error.position?.sourceLine, code.split('\n')[line - 1]);
    });
  }

  it('runs the next program well after every one of these', async () => {
    const run = await pool.run('const u = await tools.getUser({ id: 1 }); u.name', tools);
    assert.equal(run.ok && run.value, 'user 1');
  });

  it('tells no two causes by one message', async () => {
    const messages: string[] = [];
    for (const [code, limits] of DISTINCT_CAUSES) {
      const run = await pool.run(code, tools, { limits });
      assert.ok(!run.ok, code);
      messages.push(run.error.message);
    }
    assert.equal(new Set(messages).size, messages.length, messages.join('\n'));
  });

  it('gives the source line, and the frames, of the text that was submitted', async () => {
    const code = 'Sure:\r\n\r\n```ts\r\nfunction f(a: any) {\r\n  return a.b.c; // "😀"\r\n}\r\nf({})\r\n```';
    const run = await pool.run(code);
    assert.ok(!run.ok);
    const { line, sourceLine } = run.error.position ?? {};
    assert.deepEqual([line, sourceLine], [5, '  return a.b.c; // "😀"']);
    const places = [...(run.error.stack ?? '').matchAll(/program\.js:(\d+)/g)].map(([, at]) => Number(at));
    assert.deepEqual(places, [5, 7]);
  });

  it('runs the text as it is where it is told to', async () => {
    const options = { normalize: false };
    const value = await pool.run('const u = 1; u', {}, options);
    assert.deepEqual(
      [value.ok && value.value, value.program],
      [undefined, { language: 'js', rule: 'verbatim' }],
    );
    const fence = await pool.run('Sure:\n```js\nreturn 1\n```', {}, options);
    assert.equal(fence.ok, false);
    const empty = await pool.run(' \n', {}, options);
    assert.match(empty.ok ? '' : empty.error.message, /empty/);
    const typed = await pool.run('return 1 as number', {}, { normalize: false, language: 'ts' });
    assert.deepEqual([typed.ok && typed.value, typed.program], [1, { language: 'ts', rule: 'verbatim' }]);
  });

  it('reads one text in two ways where it is asked to', async () => {
    const code = 'const n = 1; n';
    const runs = [{}, { normalize: false }, { language: 'ts' as const }, {}];
    const results = await Promise.all(runs.map((options) => pool.run(code, {}, options)));
    assert.deepEqual(
      results.map(({ program }) => `${program.language} ${program.rule}`),
      ['js last-expression', 'js verbatim', 'ts last-expression', 'js last-expression'],
    );
  });

  it('does not try TypeScript where it is told that the program is JavaScript', async () => {
    const run = await pool.run('const n: number = 1; return n', {}, { language: 'js' });
    assert.ok(!run.ok && run.error.name === 'SyntaxError');
  });

  it('runs many texts of TypeScript at once, and each once', async () => {
    const codes = Array.from({ length: 20 }, (_, i) => `const n: number = ${i % 5}; n`);
    const results = await Promise.all(codes.map((code) => pool.run(code)));
    assert.deepEqual(
      results.map((run) => run.ok && run.value),
      codes.map((_, i) => i % 5),
    );
  });

  it('bounds what a text that holds the stripper costs, and remembers it', async () => {
    // Is not known beforehand to be costly, and would take hours.
    const code = `const n: number = 1;${'a ? /* */ (b) : c => '.repeat(40)}1`;
    const [held, next] = await Promise.all([pool.run(code), pool.run('const n: number = 61; n')]);
    assert.deepEqual([held.program?.rule, held.ok], ['unparsed', false]);
    assert.equal(next.ok && next.value, 61);
    const again = await pool.run(code);
    assert.equal(again.program?.rule, 'unparsed');
  });

  it('waits for a text to be read no longer than the run may take', async () => {
    const code = `const n: number = 2;${'a ? /* */ (b) : c => '.repeat(40)}1`;
    const run = await pool.run(code, {}, { limits: { timeoutMs: 50 } });
    assert.equal(run.program?.rule, 'unparsed');
  });

  it('reads no further for a run that was cancelled', async () => {
    const controller = new AbortController();
    const code = `const n: number = 3;${'a ? /* */ (b) : c => '.repeat(40)}1`;
    const run = pool.run(code, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await assert.rejects(run, { name: 'AbortError' });
    const next = await pool.run('const n: number = 62; n');
    assert.equal(next.ok && next.value, 62);
  });

  it('runs nothing that a program quotes', async () => {
    const seen: unknown[] = [];
    const recording = { a: (input: unknown) => seen.push(input) };
    const note = 'const note = `\n~~~js\nreturn await tools.a({ injected: 1 })\n~~~\n`;\n';
    const javascript = await pool.run(`${note}return note.length + String.raw\`\`.length`, recording);
    const typescript = await pool.run(`const q: number = 2; ${note}return note.length + q`, recording);
    const slip = await pool.run(`${note}function send() { await tools.a({ note }) }\nsend();`, recording);
    assert.deepEqual([javascript.ok, typescript.ok, slip.ok], [true, true, false]);
    assert.deepEqual(seen, []);
  });

  it('cancels a run whose text is still being read', async () => {
    const controller = new AbortController();
    const run = pool.run(`const n: number = ${Math.PI}; for (;;);`, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 1);
    await assert.rejects(run, { name: 'AbortError' });
  });

  it('names a tool of the run it is about, though readings are kept', async () => {
    const code = 'import x from "x"';
    const [one, two] = await Promise.all([
      pool.run(code, { one: () => 1 }),
      pool.run(code, { two: () => 2 }),
    ]);
    assert.match((!one.ok && one.error.hint) || '', /tools\.one/);
    assert.match((!two.ok && two.error.hint) || '', /tools\.two/);
  });

  it('ends a chain of calls at its limit, and runs the next program', async () => {
    const slow = {
      next: ({ n = 0 }: { n?: number }) => new Promise((resolve) => setTimeout(resolve, 20, { n: n + 1 })),
    };
    const code = 'let n = 0;\nfor (;;) { ({ n } = await tools.next({ n })); console.log(n); }';
    const run = await pool.run(code, slow, { limits: { timeoutMs: 300 } });
    assert.ok(!run.ok && run.error.kind === 'timeout');
    assert.deepEqual(
      run.logs.map(({ text }) => Number(text)),
      run.logs.map((_, i) => i + 1),
    );
    const next = await pool.run('await tools.next({ n: 1 })', slow);
    assert.deepEqual(next.ok && next.value, { n: 2 });
  });

  it('keeps the logs before a failure, in order, whatever was logged', async () => {
    const code = `console.log({ a: [1, { b: 2 }] });
const cycle = {}; cycle.self = cycle; console.log(cycle);
console.log({ toString() { throw new Error('x') } });
console.error('last');
null.x`;
    const run = await pool.run(code);
    assert.ok(!run.ok && run.error.position?.line === 5);
    assert.equal(run.logs.length, 4);
    assert.equal(run.logs[3]?.text, 'last');
  });

  it('cuts 100 MB of logs, and says so', async () => {
    const run = await pool.run("for (let i = 0; i < 100; i++) console.log('x'.repeat(1e6)); 'end'");
    assert.ok(run.ok && run.value === 'end' && run.logsTruncated);
    assert.ok(run.logs.reduce((bytes, { text }) => bytes + text.length, 0) <= 65_536);
  });

  it('counts no time in the queue to the limit of a run', async () => {
    const single = await createPool({ threads: 1, concurrency: 1 });
    try {
      const wait = { wait: () => new Promise((resolve) => setTimeout(resolve, 500, 1)) };
      const first = single.run('await tools.wait()', wait);
      const second = single.run('await tools.wait()', wait);
      const third = await single.run('1', {}, { limits: { timeoutMs: 900 } });
      assert.ok(third.ok && third.usage.queueMs >= 900, JSON.stringify(third.usage));
      assert.ok((await first).ok && (await second).ok);
    } finally {
      await single.close();
    }
  });
});
