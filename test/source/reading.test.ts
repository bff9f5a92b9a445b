/** What is submitted, in the shapes in which models write programs, and what runs. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Reading, read, type Submission } from '../../src/source/reading.js';
import { parseBody } from '../../src/source/syntax/parse.js';
import { loadStripper } from '../../src/source/syntax/strip-types.js';
import { isInserted, originalOffset } from '../../src/source/text/edits.js';

const strip = loadStripper();

function readingOf(text: string, options: Partial<Submission> = {}): Reading {
  const reading = read({ text, language: 'auto', normalize: true, ...options }, strip);
  assert.ok(reading !== undefined);
  return reading;
}

/** Submitted, rule, and what runs; '=' for the text as it is. */
type Row = [submitted: string, rule: string, runs: string];

const JAVASCRIPT: Row[] = [
  // Programs as they are
  ['return 1', 'statements', '='],
  ['if (x) { return 1 }\nf()', 'statements', '='],
  ['for (const a of b) { try { return a } catch {} }', 'statements', '='],
  ['switch (x) { case 1: return 2 }', 'statements', '='],
  ['const a = 1;', 'statements', '='],
  ['if (a) 1; else 2', 'statements', '='],
  ['class A {}', 'statements', '='],
  ['\ufeffreturn 1', 'statements', '='],
  ['\u00a0return 1', 'statements', '='],
  ["'use strict';\nreturn 1", 'statements', '='],
  ['const s = `\n~~~\na\n~~~\n`; return s', 'statements', '='],
  ['/*\n```js\n1\n```\n*/ return 1', 'statements', '='],
  ['<!-- a comment in a script\nreturn 1', 'statements', '='],
  // One expression
  ['1 + 1', 'expression', '0;return (1 + 1)'],
  ['await tools.a()', 'expression', '0;return (await tools.a())'],
  ['tools.a(); // done', 'expression', '0;return (tools.a()); // done'],
  ['x // y', 'expression', '0;return (x) // y'],
  ['x <!--y', 'expression', '0;return (x) <!--y'],
  ['/* a */ x /* b', 'unparsed', '='],
  ['a, b', 'expression', '0;return (a, b)'],
  ['"hello"', 'expression', '0;return ("hello")'],
  ['`hello`', 'expression', '0;return (`hello`)'],
  ['(async () => { return 1 })()', 'expression', '0;return ((async () => { return 1 })())'],
  ['(async () => { return 1 })();\n', 'expression', '0;return ((async () => { return 1 })());\n'],
  ['!async function () {}()', 'expression', '0;return (!async function () {}())'],
  ['{a: 1}', 'expression', '0;return ({a: 1})'],
  ['{}', 'expression', '0;return ({})'],
  ['{ "a": 1, "b": [2] }', 'expression', '0;return ({ "a": 1, "b": [2] })'],
  ['// c\n{ a: 1, b };', 'expression', '// c\n0;return ({ a: 1, b });'],
  ['{ f() }', 'statements', '='],
  // The last of several
  ['const a = 1; a', 'last-expression', 'const a = 1; 0;return (a)'],
  ['const a = 1\na // b', 'last-expression', 'const a = 1\n0;return (a) // b'],
  ["'use strict'; 1", 'last-expression', "'use strict'; 0;return (1)"],
  ['f();\nfunction f() { return 1 }', 'last-expression', '0;return (f());\nfunction f() { return 1 }'],
  ['const m = async () => 4;\nm();;', 'last-expression', 'const m = async () => 4;\n0;return (m());;'],
  ['do a(); while (b) c', 'last-expression', 'do a(); while (b) 0;return (c)'],
  [
    'f().catch(console.error); async function f() {}',
    'last-expression',
    '0;return (f()); async function f() {}',
  ],
  [
    'const f = async () => 1; await f().catch((e) => { console.error(e.message, `x`, e?.a); process.exit(1) })',
    'last-expression',
    'const f = async () => 1; 0;return (await f())',
  ],
  [
    'x; (async () => 1)().catch(function (e) { console.log("failed", e) });',
    'last-expression',
    'x; 0;return ((async () => 1)());',
  ],
  [
    'f().then(console.log).catch(console.error); async function f() {}',
    'last-expression',
    '0;return (f().then(console.log)); async function f() {}',
  ],
  ...[
    // Handlers that do something
    'async function f() {}; f().catch((e) => console.log(tools.a({ x: 1 })))',
    'async function f() {}; f().catch((e) => console.log(await_(e)))',
    'async function f() {}; f().catch((e = tools.a()) => console.log(e))',
    'async function f() {}; f().catch((e) => console[tools.a()](e))',
    'async function f() {}; f().catch((e) => console.log(`\u0024{tools.a()}`))',
    // The program's own reporters
    'async function f() {}; const console = g(); f().catch(console.error)',
    'async function f() {}; const { process } = g(); f().catch((e) => process.exit(1))',
    'async function f() {}; function console() {} f().catch(console.error)',
    'async function f() {}; console.error = g; f().catch(console.error)',
    // What may be no promise
    'function f() {} f().catch(console.error)',
    'let f = async () => 1; f().catch(console.error)',
    'async function* f() {} f().catch(console.error)',
    'x; y.catch(console.error)',
    'x; y.f().catch(console.error)',
  ].map((text): Row => {
    const start = text.search(/\S+\.catch/);
    return [text, 'last-expression', `${text.slice(0, start)}0;return (${text.slice(start)})`];
  }),
  ['x; f().catch(() => 1)', 'last-expression', 'x; 0;return (f().catch(() => 1))'],
  ['x; f().catch(() => {})', 'last-expression', 'x; 0;return (f().catch(() => {}))'],
  ['x; void f()', 'last-expression', 'x; 0;return (f())'],
  ['x; void 0', 'last-expression', 'x; 0;return (void 0)'],
  // Functions
  ['async () => { return 1 }', 'function', '0;return await (async () => { return 1 })()'],
  ['() => 1 // c', 'function', '0;return await (() => 1)() // c'],
  ['(() => 1);', 'function', '0;return await ((() => 1))();'],
  ['function main() { return 1 }', 'function', 'function main() { return 1 }\nreturn await main();'],
  ['function whatever() {} // x', 'function', 'function whatever() {} // x\nreturn await whatever();'],
  ['async function () { return 2 };', 'function', '0;return await (async function () { return 2 })();'],
  ['function () { return 2 }', 'function', '0;return await (function () { return 2 })()'],
  ['const f = async () => 4', 'function', 'const f = async () => 4\nreturn await f();'],
  [
    'function h() {}\nasync function main() { h() }',
    'function',
    'function h() {}\nasync function main() { h() }\nreturn await main();',
  ],
  [
    'const k = 1;\nconst run = async () => k;',
    'function',
    'const k = 1;\nconst run = async () => k;\nreturn await run();',
  ],
  ['f();\nfunction main() {}', 'function', 'f();\nfunction main() {}\nreturn await main();'],
  ['function a() {}\nfunction b() {}', 'statements', '='],
  ['function* main() { yield 1 }', 'statements', '='],
  ['if (x) main();\nfunction main() {}', 'statements', '='],
  [
    'async ({ tools }) => 1',
    'function',
    '0;return await (async ({ tools }) => 1)({ ...tools, tools, console })',
  ],
  [
    'async ({ getUser } = {}) => 1',
    'function',
    '0;return await (async ({ getUser } = {}) => 1)({ ...tools, tools, console })',
  ],
  ['async (tools) => 1', 'function', '0;return await (async (tools) => 1)(tools)'],
  [
    '(input, { tools }) => 1',
    'function',
    '0;return await ((input, { tools }) => 1)(undefined, { ...tools, tools, console })',
  ],
  ['(ctx) => 1', 'function', '0;return await ((ctx) => 1)({ tools, console })'],
  ['(a, ...b) => 1', 'function', '0;return await ((a, ...b) => 1)()'],
  // Exports
  ['export default 5', 'default-export', '0;return (5)'],
  ['export default async () => 4;', 'default-export', '0;return await (async () => 4)();'],
  [
    'export default async function main() { return 1 }',
    'default-export',
    'async function main() { return 1 }\nreturn await main();',
  ],
  [
    'export default function () { return 1 }',
    'default-export',
    '0;return await (function () { return 1 })();',
  ],
  ['const a = 1; export { a as default }', 'default-export', 'const a = 1; \nreturn a;'],
  [
    'export { f as default }; function f(tools) {}',
    'default-export',
    ' function f(tools) {}\nreturn await f(tools);',
  ],
  ['module.exports = async () => 5', 'default-export', '0;return await (async () => 5)()'],
  ['const q = 1; module.exports = { q };', 'default-export', 'const q = 1; 0;return ({ q });'],
  ['export const run = async () => 1', 'function', 'const run = async () => 1\nreturn await run();'],
  ['export const a = 1; return a', 'statements', 'const a = 1; return a'],
  [
    'export default () => q; let q = 1',
    'default-export',
    'const __default_export__ = (() => q);; let q = 1\nreturn await __default_export__();',
  ],
  // Around a program
  ['#!/usr/bin/env node\nreturn 3', 'statements', '\nreturn 3'],
  ['`return 1`', 'fence+statements', 'return 1'],
  ['`await tools.a()`', 'fence+expression', '0;return (await tools.a())'],
  // Not understood: the engine's own message
  ['return (', 'unparsed', '='],
  ['const = 1', 'unparsed', '='],
  ['return 1 }', 'unparsed', '='],
  ['}); (async function () {', 'unparsed', '='],
  ['} async function f() { {', 'unparsed', '='],
  ['1) + (2', 'unparsed', '='],
  ['Here is the code:', 'unparsed', '='],
  ['npm install x', 'unparsed', '='],
  ['https://example.com', 'unparsed', '='],
  ['return “x”', 'unparsed', '='],
  ['<html>x</html>', 'unparsed', '='],
  [`x = ${'('.repeat(20_000)}1${')'.repeat(20_000)}`, 'unparsed', '='],
  [`${'{'.repeat(20_000)}${'}'.repeat(20_000)}`, 'unparsed', '='],
];

const FENCED: Row[] = [
  ['```js\nreturn 1\n```', 'fence+statements', 'return 1\n'],
  ['```javascript title="x"\nreturn 1\n```\n', 'fence+statements', 'return 1\n'],
  ['```\nreturn 1\n```', 'fence+statements', 'return 1\n'],
  ['~~~js\nreturn 1\n~~~', 'fence+statements', 'return 1\n'],
  [
    '````js\nconst s = 1;\n/*\n```\n*/ s\n````',
    'fence+last-expression',
    'const s = 1;\n/*\n```\n*/ 0;return (s)\n',
  ],
  ['Sure:\n```js\nreturn 1\n```\nDone.', 'fence+statements', 'return 1\n'],
  ['Result\n```\nconst x = 1;\nx\n```', 'fence+last-expression', 'const x = 1;\n0;return (x)\n'],
  ['Here is\r\n\r\n```js\r\nreturn 1;\r\n```\r\n', 'fence+statements', 'return 1;\r\n'],
  ['```js\nreturn 1', 'fence+statements', 'return 1'],
  ['const a = 1;\nreturn a;\n```\n', 'fence+statements', 'const a = 1;\nreturn a;\n'],
  ['```js return 1 ```', 'fence+statements', ' return 1 '],
  [
    '1. Do\n   ```js\n   const t = `\n   a`;\n   t\n   ```',
    'fence+last-expression',
    'const t = `\na`;\n0;return (t)\n',
  ],
  ['```js\nconst = 1\n```', 'fence+unparsed', 'const = 1\n'],
  ['```js\nasync () => 1\n```', 'fence+function', '0;return await (async () => 1)()\n'],
  ['```sh\nnpm i\n```\nand\n```js\nreturn 1\n```', 'fence+statements', 'return 1\n'],
  [
    "Here's `f`, which calls `tools.a()`; it's done:\n\n---\n\n```js\nreturn 1\n```",
    'fence+statements',
    'return 1\n',
  ],
  [
    '# Plan\n- call tools.a (once)\n- see https://a.b/c\n~~~\nreturn 1\n~~~\n',
    'fence+statements',
    'return 1\n',
  ],
  // White space before the fence, and one that begins in a line of prose
  ...['\ufeff', '\u00a0', '\f', '\ufeff\n  ', '\u2003'].map(
    (space): Row => [`${space}\`\`\`js\nreturn 1\n\`\`\`\nreturn 2`, 'fence+statements', 'return 1\n'],
  ),
  ['\ufeff```js\n let a = `\n b`;\n```', 'fence+statements', ' let a = `\n b`;\n'],
  ['Here it is: ```js\nreturn 1\n```\nreturn 2', 'fence+statements', 'return 1\n'],
  ['Code: ```js\nreturn 1\n```', 'fence+statements', 'return 1\n'],
  ['Use ```a``` so:\n```\nreturn 1\n```', 'fence+statements', 'return 1\n'],
];

const INJECTED = 'return await tools.a({injected:1})';
/** A string of a program that holds a fenced program. */
const NOTE = `const note = \`\n~~~js\n${INJECTED}\n~~~\n\`;\n`;

/** Texts with a fence in a string, a template or a comment; nothing of it may run. */
const QUOTED: string[] = [
  // JavaScript
  `${NOTE}return note.length + String.raw\`\`.length`,
  `${NOTE}return note + html\`\` + f\`\`\`\``,
  `/*\n\`\`\`js\n${INJECTED}\n\`\`\`\n*/\nreturn html\`\``,
  `const s = 'a\\\n~~~js\\\n${INJECTED}\\\n~~~\\\n'; return s`,
  // TypeScript
  `const q: number = 2; ${NOTE}return note.length + q`,
  `const q: number = 2; ${NOTE}${'f();\n'.repeat(1_000)}return note.length + q`,
  `/**\n\`\`\`js\n${INJECTED}\n\`\`\`\n*/\nconst q: number = 2;\nreturn q`,
  `/* Example:\n~~~js\n${INJECTED}\n~~~\n*/\ntype A = 1;\nreturn 1 as A`,
  `return g<string>(\n\`\n~~~js\n${INJECTED}\n~~~\n\`)`,
  // A slip
  `${NOTE}function send() { await tools.a({note}) }\nsend();`,
  `${NOTE}let x=1; let x=2`,
  `${NOTE}@f class A {}`,
  `${NOTE}return 0777`,
  `${NOTE}retrun note`,
  `${NOTE}enum A { B }`,
  `send(\n\`\n~~~js\n${INJECTED}\n~~~\n\`))`,
  `\`Report\n~~~js\n${INJECTED}\n~~~\n\`; let x=1; let x=2`,
  `x \`a\` \`b\n~~~js\n${INJECTED}\n~~~\n\`; let x=1; let x=2`,
  `'\`' + \`\n~~~js\n${INJECTED}\n~~~\n\`; let x=1; let x=2`,
  `"\`" \`\n~~~js\n${INJECTED}\n~~~\n\`; let x=1; let x=2`,
  `/\`/ \`\n~~~js\n${INJECTED}\n~~~\n\`; let x=1; let x=2`,
  `'a\\\n~~~js\n${INJECTED}\n~~~\n'; let x=1; let x=2`,
  `// See:\n/*\n~~~js\n${INJECTED}\n~~~\n*/ return (`,
  `use(a)\n~~~js\n${INJECTED}\n~~~\n`,
  `await tools.b()\n\`\`\`js\n${INJECTED}\n\`\`\`\n)`,
  `${NOTE}retrun note;\n\`\`\``,
];

const TYPESCRIPT: Row[] = [
  ['function f(this: any) {}', 'function', 'function f(         ) {}\nreturn await f();'],
  ['function f(x?) {}; f()', 'last-expression', 'function f(x ) {}; 0;return (f())'],
  ['(x?) => x', 'function', '0;return await ((x ) => x)()'],
  [
    'await tools.getUser<{ id: number; a: "b" }>({})',
    'expression',
    '0;return (await tools.getUser                        ({}))',
  ],
  ["tools['a.b']<any>({})", 'expression', "0;return (tools['a.b']     ({}))"],
  ['const x: number = 1; return x', 'statements', 'const x         = 1; return x'],
  ['interface A { a: string }\nreturn 1', 'statements', '                         \nreturn 1'],
  ['type A = { a: string };\nf({} as A)', 'expression', '                       \n0;return (f({}     ))'],
  ['const f = <T,>(x: T): T => x; f(1)', 'last-expression', 'const f =     (x   )    => x; 0;return (f(1))'],
  ['f<string>(1)', 'expression', '0;return (f        (1))'],
  [
    'const m = new Map<string, number>(); return 1',
    'statements',
    'const m = new Map                (); return 1',
  ],
  [
    'async (tools: Tools): Promise<void> => {}',
    'function',
    '0;return await (async (tools       )                => {})(tools)',
  ],
  [
    'export default async function main(): Promise<number> { return 1 }',
    'default-export',
    'async function main()                  { return 1 }\nreturn await main();',
  ],
  [
    'import type { A } from "a";\nexport interface B {}\nreturn 1 as number',
    'statements',
    '                           \n                     \nreturn 1          ',
  ],
  [
    'const a = { b: 1 } satisfies B; return a!.b',
    'statements',
    'const a = { b: 1 }            ; return a .b',
  ],
  ['const a = [1] as const; return a', 'statements', 'const a = [1]         ; return a'],
  [
    'const s: "é€😀" = x; type T = "日"; return s',
    'statements',
    'const s         = x;               return s',
  ],
  ['```ts\nconst x: number = 1; x\n```', 'fence+last-expression', 'const x         = 1; 0;return (x)\n'],
  ['```typescript\nreturn g<number>(1)\n```', 'fence+statements', 'return g        (1)\n'],
];

const REFUSED: [submitted: string, message: RegExp, at?: string][] = [
  ['', /empty/],
  [' \n', /empty/],
  ['// nothing', /no statement/],
  ['/* a */ // b', /no statement/],
  [';;', /empty/],
  ['```js\n```', /empty/],
  ['interface A {}', /no statement/],
  ['Note: Sure', /no program/, 'Note'],
  ['Answer: 42', /no program/, 'Answer'],
  ['{"tool":"x","arguments":{"a":1}}', /tool call/],
  ['{"name":"x","arguments":{}}', /tool call/],
  ['[{"type":"function","function":{"name":"x","arguments":"{}"}}]', /tool call/],
  ['{"tool_calls":[]}', /tool call/],
  ['import fs from "node:fs"; return 1', /imports "node:fs"/, 'import'],
  ['const a = 1;\nimport "b"', /imports "b"/, 'import'],
  ['export { a } from "a"', /imports "a"/, 'export'],
  ['const fs = require("fs")', /imports "fs"/, 'require'],
  ['return f(() => require(name))', /requires a module/, 'require'],
  ['```js\nimport x from "x"\n```', /imports "x"/, 'import'],
  ['```js\na\n```\n```js\nb\n```', /2 fenced code blocks/, '```js\nb'],
  ['```python\nx\n```', /"python"/, '```python'],
  ['enum A { B }', /enum cannot be run/, 'enum'],
  ['const s = "é€😀日\t"; enum A { B }', /enum cannot be run/, 'enum'],
  ['class A { constructor(private x: number) {} }', /parameter property/, 'x: number'],
  ['namespace N { export const a = 1 }', /namespace/, 'namespace'],
  ['const a = <any>b', /angle-bracket/, '<any>'],
  ['import fs = require("fs")', /imports "fs"/, 'import'],
  ['import fs = require("fs");\nreturn 1', /imports "fs"/, 'import'],
  ['export {};', /empty/],
  ['export { a };', /empty/],
  ['export { tools }', /empty/],
  ['type A=1; export {}', /empty/],
  ['```js\nexport {}\n```', /empty/],
  ['Here it is: ```js return 1\n```\nreturn 2', /within a line/, 'Here'],
  ['```js await tools.a()\nreturn 1\n```', /within a line/, '```js'],
  ['{"code":"return 1"}', /program in JSON/],
  ['{"language":"javascript","code":"await tools.a()"}', /program in JSON/],
  ['{"program":"const a = 1; a"}', /program in JSON/],
  ['{"script":"async () => 1"}', /program in JSON/],
  ['{"javascript":"console.log(1)"}', /program in JSON/],
  ['```js\n{"code":"return 1"}\n```', /program in JSON/],
  ['"const u = await tools.getUser({});\\nreturn u"', /program in JSON/],
  ['{"name":"run_code","arguments":{"code":"return 1"}}', /program in JSON/],
  ['{"name":"run_code","arguments":"{\\"code\\":\\"return 1\\"}"}', /program in JSON/],
  ['{"action":"getUser","action_input":{"id":1}}', /tool call/],
  ['{"thought":"x","action":"getUser","action_input":"1"}', /tool call/],
  ['const x: number = ;', /Expression expected/, ';'],
];

describe('source: what a text is read as', () => {
  const groups: [string, 'js' | 'ts', Row[]][] = [
    ['JavaScript', 'js', JAVASCRIPT],
    ['in Markdown', 'js', FENCED],
    ['TypeScript', 'ts', TYPESCRIPT],
  ];
  for (const [group, language, rows] of groups) {
    for (const [submitted, rule, runs] of rows) {
      it(`${group}: ${JSON.stringify(submitted.slice(0, 90))} is ${rule}`, () => {
        const reading = readingOf(submitted);
        const expected = { rule, text: runs === '=' ? submitted : runs, refusal: undefined };
        assert.deepEqual({ rule: reading.rule, text: reading.text, refusal: reading.refusal }, expected);
        if (group !== 'in Markdown') assert.equal(reading.language, language);
        assertSameCharacters(reading, submitted);
      });
    }
  }

  for (const [submitted, message, at] of REFUSED) {
    it(`refuses ${JSON.stringify(submitted)}`, () => {
      const { refusal } = readingOf(submitted);
      assert.match(refusal?.message ?? '', message);
      assert.ok((refusal?.hint ?? '') !== '');
      if (at !== undefined) assert.ok(submitted.startsWith(at, refusal?.offset), `offset ${refusal?.offset}`);
    });
  }

  for (const text of QUOTED) {
    for (const language of ['auto', 'ts', 'js'] as const) {
      it(`runs no fence inside of ${JSON.stringify(text.slice(0, 160))} (${language})`, () => {
        const { rule, text: runs } = readingOf(text, { language });
        assert.doesNotMatch(runs, new RegExp(`^\\s*(?:0;)?${INJECTED.replace(/[{}()]/g, '\\$&')}`));
        // Whatever runs still has what the fence stands in.
        assert.ok(rule.endsWith('unparsed') || runs.length >= text.length - 4, runs);
      });
    }
  }

  it('says to send the code, not to call a tool that there is not', () => {
    const { refusal } = readingOf('{"name":"run_code","arguments":{"code":"return 1"}}');
    assert.match(refusal?.hint ?? '', /JavaScript itself/);
    assert.doesNotMatch(refusal?.hint ?? '', /run_code/);
  });

  it('takes for a value what only resembles a program in JSON', () => {
    for (const text of [
      '{"code":"E404"}',
      '{"code":"call()","status":1}',
      '"hello"',
      '{"script":"Latin"}',
      '{"action":"none"}',
      '{"name":"x","data":{"code":"f()"}}',
    ]) {
      assert.equal(readingOf(text).refusal, undefined, text);
    }
  });

  it('leaves a require that the program has itself, or asks for', () => {
    for (const text of [
      'const require = f; return require("x")',
      'return typeof require === "function" && require("x")',
      'return ((require) => require("x"))(f)',
    ]) {
      assert.equal(readingOf(text).refusal, undefined, text);
    }
  });

  it('runs the text verbatim when it is told to', () => {
    for (const text of ['1 + 1', '```js\n1\n```', 'import "x"', 'async () => 1', 'const x: number = 1']) {
      assert.deepEqual(readingOf(text, { normalize: false }), { language: 'js', rule: 'verbatim', text });
    }
  });

  it('takes only types out of verbatim TypeScript', () => {
    const reading = readingOf('1 as number', { normalize: false, language: 'ts' });
    assert.deepEqual(reading, { language: 'ts', rule: 'verbatim', text: '1          ' });
  });

  it('does not try TypeScript where it is told that the text is JavaScript', () => {
    const { rule, language } = readingOf('const x: number = 1', { language: 'js' });
    assert.deepEqual([rule, language], ['unparsed', 'js']);
  });

  it('reads JavaScript as TypeScript where it is told so', () => {
    const { rule, language } = readingOf('return a<b>(c)', { language: 'ts' });
    assert.deepEqual([rule, language], ['statements', 'ts']);
  });

  it('keeps comparisons that look like a generic call', () => {
    const { text, language } = readingOf('return a<b && c>(d)');
    assert.deepEqual([text, language], ['return a<b && c>(d)', 'js']);
  });

  it('says that it needs the stripper, instead of doing without', () => {
    assert.equal(
      read({ text: 'const x: number = 1', language: 'auto', normalize: true }, undefined),
      undefined,
    );
    for (const text of ['return (', 'Here is the code:', 'const a = 1;\nlet a = 2', 'ls -la', 'x y']) {
      assert.ok(read({ text, language: 'auto', normalize: true }, undefined), `asked for it for ${text}`);
    }
  });

  it('takes a banner of slashes for one comment, not for every way to cut it into some', () => {
    const text = `${'/'.repeat(4_000)}\nfoo bar`;
    // Exponential, this would not end before the test's own limit.
    assert.equal(read({ text, language: 'js', normalize: true }, undefined)?.rule, 'unparsed');
  });

  it('never makes a text that leaves the function it runs in, nor one that loses a character of the program', () => {
    const part = fc.constantFrom(
      ...[
        'a',
        'b()',
        'return',
        'await ',
        ';',
        '\n',
        '{',
        '}',
        '(',
        ')',
        '=>',
        'async ',
        'function ',
        'f',
        ',',
        '// c',
      ],
      ...[
        'export default ',
        'export ',
        'const ',
        ' = ',
        '`',
        '```',
        '~~~',
        '"',
        "'",
        '/',
        '<!--',
        '-->',
        '/*',
        '*/',
      ],
      ...[
        '.catch(console.error)',
        'void ',
        ': number',
        'module.exports = ',
        'main',
        ' ',
        '\r\n',
        '\u2028',
        'é',
        '😀',
        '#!',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 14 }), (parts) => {
        const text = parts.join('');
        const reading = read({ text, language: 'js', normalize: true }, undefined);
        assert.ok(reading !== undefined);
        if (
          reading.segments !== undefined &&
          !reading.rule.endsWith('unparsed') &&
          reading.refusal === undefined
        ) {
          assert.ok(parseBody(reading.text).ok, reading.text);
        }
        assertSameCharacters(reading, text);
      }),
      { numRuns: 3_000, seed: 7 },
    );
  });
});

/** What of the text that runs was not put in stands at its place in the submitted text; types became blanks. */
function assertSameCharacters({ text, segments, language }: Reading, submitted: string): void {
  for (let offset = 0; offset < text.length; offset++) {
    if (isInserted(segments, offset)) continue;
    const character = text[offset] ?? '';
    if (language === 'ts' && /[\s;]/.test(character)) continue;
    assert.equal(
      character,
      submitted[originalOffset(segments, offset)],
      `at ${offset} of ${JSON.stringify(text)}`,
    );
  }
}
