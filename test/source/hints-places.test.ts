/** Where errors are and what is said of them, with the engine that gives or does not give a place: end to end. */
import assert from 'node:assert/strict';
import { createPool, type Pool, type RunOptions } from 'wardenpool';

const TOOLS = { getUser: () => ({ id: 1, name: 'Ada' }), list: () => [1] };

/** `at`: the line and column, or none. */
interface Row {
  code: string;
  at: string | undefined;
  hint: RegExp;
  options?: RunOptions;
}

const row = (code: string, at: string | undefined, hint: RegExp, options?: RunOptions): Row => ({
  code,
  at,
  hint,
  ...(options && { options }),
});

const LOGGED = 'console.log(1);\n';
const USER = 'const u = await tools.getUser({ id: 1 });\n';
const VERBATIM = { normalize: false };

const GROUPS: Record<string, Row[]> = {
  'what the engine has no place for': [
    row('const { name } = null;', '1:7', /^null cannot be destructured/),
    row(`${LOGGED}const { name } = null;`, '2:7', /^null cannot be destructured/),
    row(`${USER}const { name } = u.missing;\nreturn name`, '2:7', /^u\.missing cannot be destructured/),
    row(`${USER}const { name } = u;\nconst { x } = u.missing;`, '3:7', /^u\.missing cannot be/),
    row('const x = {};\nconst { a } = x, { b } = a, { c } = b;', '2:18', /^a cannot be destructured/),
    row('const { a: { b } } = {};', '1:12', /cannot be destructured/),
    row('const f = ({ name }) => name;\nreturn f(null);', '1:12', /cannot be destructured/),
    row('const [a] = 5', '1:7', /^5 is no list/),
    row(`${USER}const [a] = u;`, '2:7', /^u is no list/),
    row(`let a;\n${LOGGED}[a] = null;`, '3:1', /^null is no list/),
    row(`${LOGGED}return [...null];`, '2:12', /^null is no list/),
    row(`${USER}return Math.max(...u);`, '2:20', /^u is no list/),
    row(`${LOGGED}return null.foo;`, '2:8', /\.foo is read from/),
    row('return this.foo', '1:8', /\.foo is read from/),
    row(`${USER}return this.foo.bar;`, '2:8', /\.foo is read from/),
    row(`try { null.foo } catch {}\n${LOGGED}return null.foo`, '3:8', /\.foo is read from/),
    row(`${LOGGED}await import('fs');`, '2:7', /no modules/),
    row(`async function main() {\n  ${LOGGED}  await import('fs');\n}\nawait main();`, '3:9', /no modules/),
    row("await import('a').catch(() => {}); await import('b')", '1:42', /no modules/),
    row(`${LOGGED}return 2n ** -1n;`, '2:14', /no fractions/),
    row(`${LOGGED}return 2n ** 3;`, '2:14', /Do not mix/),
    row('return +1n', '1:8', /not with \+value/),
    row('for (const [k, v] of [1]) {}', '1:12', /no list/),
    row(`${LOGGED}for (const [k, v] of [1]) {}`, '2:12', /no list/),
    row(`${LOGGED}for (const x of 5) {}`, '2:17', /^5 is no list/),
    row(`${LOGGED}for await (const x of 5) {}`, '2:23', /^5 is no list/),
    row('function* g() { yield* 5 }\n[...g()]', '1:24', /^5 is no list/),
  ],
  'functions that the engine has no place in': [
    row(`${LOGGED}function h() { return null.foo }\nreturn h()`, '2:23', /\.foo is read from/),
    row(
      `${LOGGED}const g = () => { const { x } = null };\nconst k = () => { const { x } = null };\nreturn k()`,
      '3:25',
      /cannot be destructured/,
    ),
    row('return [1].map(() => null.foo)', '1:22', /\.foo is read from/),
    row('class A { m() { return this.x.y } }\nreturn new A().m()', '1:24', /\.y is read from/),
  ],
  'what cannot be told': [
    row(
      `${LOGGED}const c = true;\nif (c) { const { x } = null } else { const { y } = null }`,
      '3:5',
      /^Check the value: log it/,
    ),
    row(
      `const c = true;\nif (c) { ${LOGGED}for await (const x of 5) {} for await (const x of 6) {} }`,
      '2:18',
      /^Something that is called here is no function/,
    ),
    row('return Object.keys(null)', '1:20', /Check the value/),
  ],
  'results of tools': [
    row(
      'return (await tools.getUser({})).content[0].text',
      '1:21',
      /result of tools\.getUser has no \.content/,
    ),
    row(`${USER}return u.content[0].text`, '2:8', /result of tools\.getUser has no \.content: log it/),
    row(`${USER}return u.rows.length`, '2:8', /has no \.rows: log it to see what it has\.$/),
    row('return [...tools.list({})]', '1:18', /^Await the call: await tools\.list\(\{\}\)\.$/),
    row('const [a] = tools.list({});', '1:7', /^Await the call: await tools\.list/),
    row('const l = tools.list({});\nfor (const x of l) {}', '2:17', /l is a promise/),
    row('for (const x of tools.list({})) {}', '1:23', /of await tools\.list/),
  ],
  BigInt: [
    row('return 1n << 100000000000n', '1:14', /too many digits/),
    row('return 1n / 0n', '1:13', /divisor/),
    row('return BigInt(1.5)', '1:8', /round first/),
    row("return BigInt('x')", '1:8', /no integer/),
    row('return 1n >>> 0n', '1:15', />> instead/),
    row('return 1n + 1', '1:13', /Do not mix/),
  ],
  'texts with something around them': [
    row('<think>I should call</think>\nreturn 1', '1:1', /reasoning in tags/),
    row('<code>return 1</code>', '1:1', /what is between them/),
    row('<answer>42</answer>', '1:1', /what is between them/),
    row('<|python_tag|>tools.getUser(id=1)', '1:1', /control token/),
    row('return tools.getUser({ id: <USER_ID> })', '1:28', /^<USER_ID> is a placeholder/),
    row('return tools.getUser({ id: <your id here> });', '1:28', /is a placeholder/),
    row('js\nreturn 1', '1:1', /Remove the first line/),
    row('javascript\nconst x = 1;\nx', '1:1', /Remove the first line/),
    row('const a = 1;\\nreturn a;', '1:13', /The text has \\n/),
    row('print(f"{x}")', '1:8', /f-string/),
  ],
  'use of tools': [
    row('with (tools) {}', '1:1', /strict/),
    row('tools.q = 1', '1:1', /Nothing can be assigned to tools\.q/),
    row('tools.getUser = 1', '1:1', /Nothing can be assigned to tools\.getUser/),
    row('const sum = 0;\nsum = 1', '2:1', /with let/),
    row('new tools.getUser()', '1:5', /without new: await tools\.getUser/),
    row("const t = 'zzz';\nawait tools[t]({})", '2:13', /name that t has: log t\. Tools: tools\.getUser/),
    row('const { getUsers } = tools; getUsers()', '1:29', /no tool "getUsers"\. Did you mean tools\.getUser/),
    row('const { getUsers: g } = tools; g()', '1:32', /Did you mean tools\.getUser/),
    row('const f = tools.getUsers;\nreturn f({})', '2:8', /Did you mean tools\.getUser/),
    row('result = tools.getUser(id=1)', '1:24', /no keyword arguments/),
    row('for (i = 0; i < 1; i++) {}', '1:6', /Declare i/),
    row('enum Status { A, B }\nreturn Status.A', '1:1', /const Status = \{ A: 'a' \}/),
  ],
  'a brace too many': [
    row('return 1 } //', '1:10', /Remove a closing brace/, VERBATIM),
    row('return 1 }', '1:10', /Remove a closing brace/),
    row('if (/}/.test("}")) { return `}` }}\n', '1:34', /Remove a closing brace/),
    row('function f() { } }', '1:18', /Remove a closing brace/, VERBATIM),
    row('if (1) { return 1', '1:18', /not closed at the end/),
  ],
};

describe('source: places and hints, by the engine', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool();
  });
  after(() => pool.close());

  for (const [title, rows] of Object.entries(GROUPS)) {
    describe(title, () => {
      for (const { code, at, hint, options } of rows) {
        it(JSON.stringify(code), async () => {
          const run = await pool.run(code, TOOLS, options);
          assert.ok(!run.ok);
          const { position, hint: said = '' } = run.error;
          assert.equal(position && `${position.line}:${position.column}`, at);
          assert.match(said, hint);
        });
      }
    });
  }

  it('have the same place in the stack', async () => {
    const run = await pool.run(`Sure:\n\`\`\`js\n${LOGGED}const { name } = null;\n\`\`\``, TOOLS);
    assert.ok(!run.ok);
    assert.deepEqual(run.error.position, { line: 4, column: 7, sourceLine: 'const { name } = null;' });
    assert.equal(run.error.stack, '    at program.js:4:7');
  });
});
