/**
 * Programs that are wrong, as models write them, each for another reason. What the pool says about them is the document
 * docs/errors.md; a new way to fail belongs here.
 */
import { type RunOptions, ToolError, type ToolSet, tool } from 'wardenpool';

export interface WrongProgram {
  /** What is wrong, for a heading. */
  title: string;
  code: string;
  /** What the document shows in the place of a code that is too long to read. */
  shown?: string;
  options?: RunOptions;
}

export interface WrongProgramGroup {
  title: string;
  programs: WrongProgram[];
}

/** The tools that the programs are given. */
export const TOOLS: ToolSet = {
  getUser: tool({
    description: 'Looks up one user.',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'integer', minimum: 1 } },
      required: ['id'],
      additionalProperties: false,
    },
    execute: ({ id }: { id: number }) => {
      if (id === 404) throw new ToolError('There is no user 404.', { code: 'USER_NOT_FOUND' });
      return { id, name: 'Ada', tags: ['a', 'b'] };
    },
  }),
  'github.list': tool({ effect: 'read', execute: () => [{ name: 'wardenpool' }] }),
  sendMail: () => ({ sent: true }),
  crash: () => {
    throw new Error('password=hunter2');
  },
  never: () => new Promise(() => {}),
  slow: tool({ timeoutMs: 50, execute: () => new Promise(() => {}) }),
  once: tool({ maxCalls: 1, execute: () => 1 }),
  badOutput: tool({ outputSchema: { type: 'string' }, execute: () => 42 }),
  hugeOutput: () => 'x'.repeat(2_000_000),
  bigintOutput: () => ({ items: [{ total: 1n }] }),
};

const lines = (...texts: string[]): string => texts.join('\n');

export const WRONG_PROGRAMS: WrongProgramGroup[] = [
  {
    title: 'The text',
    programs: [
      { title: 'nothing', code: ' \n\n', shown: '(white space)' },
      { title: 'only a comment', code: '// TODO: look up the user' },
      { title: 'prose', code: 'I will look up the user and then send the mail.' },
      { title: 'a shell command', code: 'curl -s https://example.com/users | jq .' },
      { title: 'another shell command', code: 'npm install lodash' },
      { title: 'Python', code: lines('def main():', '    return tools.getUser(id=1)') },
      { title: 'SQL', code: "SELECT name FROM users WHERE id = 'x';" },
      { title: 'a tool call as JSON', code: '{"tool": "getUser", "arguments": {"id": 1}}' },
      { title: 'HTML', code: '<script>return 1</script>' },
      { title: 'a program in tags', code: '<code>return 1</code>' },
      { title: 'reasoning in tags', code: lines('<think>I need the user.</think>', 'return 1;') },
      { title: 'a control token of a model', code: '<|python_tag|>tools.getUser(id=1)' },
      { title: 'a placeholder', code: 'return await tools.getUser({ id: <USER_ID> });' },
      { title: 'the name of the language in the first line', code: lines('javascript', 'return 1;') },
      { title: 'line breaks that were escaped twice', code: 'const a = 1;\\nreturn a;' },
      { title: 'an f-string', code: 'print(f"{total}")' },
      {
        title: 'an import',
        code: lines("import fs from 'node:fs';", "return fs.readFileSync('/etc/passwd')"),
      },
      { title: 'a require', code: lines("const axios = require('axios');", "return axios.get('x')") },
      {
        title: 'a missing brace',
        code: lines('const a = [1, 2];', 'for (const x of a) {', '  console.log(x);'),
      },
      { title: 'a brace too many', code: lines('if (true) {', '  console.log(1);', '}}', 'return 1;') },
      { title: 'a brace too many at the end', code: 'return 1 } // done' },
      { title: 'a with statement', code: 'with (tools) { return getUser({ id: 1 }); }' },
      {
        title: 'a syntax error in a fence behind prose',
        code: lines('Here you are:', '```js', 'const x = 1;', 'const y = = 2;', 'return x + y;', '```'),
      },
      { title: 'an unterminated string', code: lines("const name = 'Ada;", 'return name;') },
      { title: 'typographic quotes', code: 'return “hello”;' },
      { title: 'an enum in TypeScript', code: lines('enum Color { Red, Green }', 'return Color.Red;') },
      { title: 'a type error that the stripper cannot read', code: lines('const a: = 1;', 'return a;') },
      {
        title: 'await in a function that is not async',
        code: lines('function f() {', '  return await tools.getUser({ id: 1 });', '}', 'return f();'),
      },
      { title: 'a reserved word as a name', code: lines('const class = 1;', 'return class;') },
      { title: 'one name declared twice', code: lines('const user = 1;', 'const user = 2;', 'return user;') },
      {
        title: 'a text over its limit',
        code: `return ${JSON.stringify('x'.repeat(600))}`,
        shown: 'return "xxx… (600 times)"',
        options: { limits: { maxCodeBytes: 500 } },
      },
    ],
  },
  {
    title: 'Running it',
    programs: [
      { title: 'a property of null', code: lines('const user = null;', '', 'return user.name;') },
      { title: 'a property of undefined', code: lines('const user = {};', 'return user.address.city;') },
      { title: 'a name that is not defined', code: lines('const total = 1;', 'return totl;') },
      {
        title: 'fetch',
        code: "const response = await fetch('https://example.com');\nreturn response.json();",
      },
      { title: 'process', code: 'return process.env.HOME;' },
      { title: 'a call of what is no function', code: lines('const list = [1, 2];', 'return list.first();') },
      {
        title: 'assignment to a constant',
        code: lines('const sum = 0;', 'for (const x of [1, 2]) sum += x;', 'return sum;'),
      },
      { title: 'assignment to an undeclared name', code: lines('for (i = 0; i < 3; i++) {}', 'return i;') },
      { title: 'use before declaration', code: lines('console.log(x);', 'const x = 1;') },
      {
        title: 'iteration over an object',
        code: lines('const user = await tools.getUser({ id: 1 });', 'for (const x of user) console.log(x);'),
      },
      { title: 'a BigInt with a number', code: 'return 1n + 1;' },
      { title: 'a BigInt divided by zero', code: 'return 1n / 0n;' },
      { title: 'a BigInt that is too large', code: 'return 10n ** 100_000_000n;' },
      {
        title: 'null taken apart',
        code: lines(
          'const user = await tools.getUser({ id: 1 });',
          'const { city } = user.address;',
          'return city;',
        ),
      },
      { title: 'a number taken apart as a list', code: lines('console.log(1);', 'const [first] = 5;') },
      { title: 'null spread', code: lines('console.log(1);', 'return [...null];') },
      { title: 'a member of this', code: lines('console.log(1);', 'return this.total;') },
      { title: 'a module loaded while running', code: lines('console.log(1);', "await import('node:fs');") },
      { title: 'for await over a number', code: lines('console.log(1);', 'for await (const x of 5) {}') },
      { title: 'JSON that is none', code: "return JSON.parse('<html>');" },
      {
        title: 'a thrown Error with a cause',
        code: lines(
          'try { null.x } catch (cause) {',
          "  throw new Error('cannot read the user', { cause });",
          '}',
        ),
      },
      {
        title: 'a thrown class of its own',
        code: lines('class NotFound extends Error { name = "NotFound" }', "throw new NotFound('user 7');"),
      },
      { title: 'a thrown string', code: "throw 'out of stock';" },
      { title: 'a thrown object', code: "throw { status: 404, body: 'gone' };" },
      { title: 'a thrown undefined', code: 'throw undefined;' },
      {
        title: 'an AggregateError',
        code: "await Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))]);",
      },
      { title: 'endless recursion', code: lines('const f = (n) => f(n + 1) + 1;', 'return f(0);') },
      { title: 'a promise that nothing settles', code: 'await new Promise(() => {});' },
      { title: 'a regular expression that is none', code: "return new RegExp('(');" },
      { title: 'an invalid date', code: "return new Date('soon').toISOString();" },
      { title: 'an array length that is none', code: 'return new Array(-1);' },
    ],
  },
  {
    title: 'Tools',
    programs: [
      { title: 'a tool that does not exist', code: 'return await tools.getUsers({ id: 1 });' },
      {
        title: 'a tool that does not exist, taken out of tools',
        code: lines('const { getUsers } = tools;', 'return await getUsers({ id: 1 });'),
      },
      {
        title: 'a tool that does not exist, by a variable',
        code: lines("const name = 'getUsers';", 'return await tools[name]({ id: 1 });'),
      },
      { title: 'a tool called with new', code: 'return await new tools.getUser({ id: 1 });' },
      { title: 'assignment to tools', code: 'tools.total = 1;' },
      { title: 'keyword arguments', code: 'return await tools.getUser(id=1);' },
      {
        title: 'content of a result that has none',
        code: 'return (await tools.getUser({ id: 1 })).content[0].text;',
      },
      {
        title: 'a list that was not awaited',
        code: lines(
          "for (const repository of tools['github.list']({})) {",
          '  console.log(repository);',
          '}',
        ),
      },
      { title: 'a dotted name written another way', code: 'return await tools.github.lists({});' },
      { title: 'an argument of the wrong type', code: "return await tools.getUser({ id: 'seven' });" },
      { title: 'a missing argument', code: 'return await tools.getUser();' },
      {
        title: 'an argument that the schema does not have',
        code: 'return await tools.getUser({ id: 1, name: "x" });',
      },
      { title: 'an argument that is no object', code: 'return await tools.getUser(7);' },
      {
        title: 'an argument that JSON cannot carry',
        code: lines('const ids = new Set([1, 2]);', 'return await tools.sendMail({ to: { ids } });'),
      },
      {
        title: 'a forgotten await',
        code: lines('const user = tools.getUser({ id: 1 });', 'return user.name.length;'),
      },
      {
        title: 'a forgotten await in the result',
        code: 'return { users: [1, 2].map((id) => tools.getUser({ id })) };',
      },
      {
        title: 'what the tool says',
        code: lines('const id = 404;', 'const user = await tools.getUser({ id });', 'return user;'),
      },
      { title: 'a handler that fails', code: 'return await tools.crash({});' },
      { title: 'a tool that takes too long', code: 'return await tools.slow({});' },
      {
        title: 'a tool called more often than it may be',
        code: lines('await tools.once({});', 'await tools.once({});'),
      },
      { title: 'a tool result that its schema refuses', code: 'return await tools.badOutput({});' },
      { title: 'a tool result that is too large', code: 'return await tools.hugeOutput({});' },
      { title: 'a tool result that JSON cannot carry', code: 'return await tools.bigintOutput({});' },
      {
        title: 'a call that is denied',
        code: "return await tools.sendMail({ to: 'all' });",
        options: { authorize: () => ({ deny: 'Mail to all needs an approval.' }) },
      },
      {
        title: 'a tool that writes, in inspect mode',
        code: "return await tools.sendMail({ to: 'all' });",
        options: { mode: 'inspect' },
      },
      {
        title: 'too many calls',
        code: lines('for (let id = 1; id < 100; id++) {', '  await tools.getUser({ id });', '}'),
        options: { limits: { maxToolCalls: 5 } },
      },
    ],
  },
  {
    title: 'Limits',
    programs: [
      { title: 'an endless loop', code: 'for (;;) {}', options: { limits: { timeoutMs: 100 } } },
      {
        title: 'a tool that never answers',
        code: 'return await tools.never({});',
        // Long enough to have called it, on a machine that is busy with other tests.
        options: { limits: { timeoutMs: 2_000 } },
      },
      { title: 'too much CPU time', code: 'for (;;) {}', options: { limits: { cpuMs: 100 } } },
      {
        title: 'a catastrophic regular expression',
        code: "return /^(a+)+$/.test('a'.repeat(40) + '!');",
        options: { limits: { timeoutMs: 100 } },
      },
      {
        title: 'too much memory',
        code: lines('const rows = [];', 'for (;;) rows.push(new Array(1000).fill(7));'),
        options: { limits: { memoryBytes: 8 * 1024 * 1024 } },
      },
      { title: 'a result that is too large', code: "return 'x'.repeat(1_000_000);" },
    ],
  },
  {
    title: 'Results',
    programs: [
      { title: 'a BigInt', code: 'return { items: [1, 2, 3].map((total) => ({ total: BigInt(total) })) };' },
      { title: 'NaN', code: "return { average: Number('x') };" },
      { title: 'a Map', code: 'return new Map([[1, 2]]);' },
      { title: 'a function', code: 'return { run: () => 1 };' },
      { title: 'a cycle', code: lines('const node = { name: "a" };', 'node.self = node;', 'return node;') },
      { title: 'bytes', code: 'return { body: new Uint8Array([1, 2, 3]) };' },
      { title: 'an invalid date', code: "return { at: new Date('soon') };" },
      { title: 'a regular expression', code: 'return { pattern: /a+/ };' },
      { title: 'a getter that throws', code: 'return { get total() { throw new Error("no"); } };' },
      {
        title: 'a toJSON that throws',
        code: 'return { total: { toJSON() { throw new TypeError("no total"); } } };',
      },
      {
        title: 'nesting without end',
        code: lines('let value = 1;', 'for (let i = 0; i < 50_000; i++) value = [value];', 'return value;'),
      },
      {
        title: 'a result that the schema refuses',
        code: "return { total: 'seven' };",
        options: {
          resultSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
        },
      },
    ],
  },
];
