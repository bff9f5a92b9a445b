/** What a failure is told of, and what to do about it: pure, by the messages that the engine has. */
import assert from 'node:assert/strict';
import { explain, explainRefusal } from '../../src/source/explain.js';
import type { Failure } from '../../src/source/hints/hint.js';
import { type Reading, read } from '../../src/source/reading.js';
import { nearestTools, toolExpression, toolList } from '../../src/source/tool-names.js';

const TOOLS = ['getUser', 'a-b', 'github.list', 'list_orders'];

/** `at`: the text at the place of the error; absent: the error has no place. */
interface Row {
  code: string;
  failure: Partial<Failure> & { message: string };
  at?: string;
  hint: RegExp;
}

const row = (
  code: string,
  name: string | undefined,
  message: string,
  at: string | undefined,
  hint: RegExp,
): Row => ({
  code,
  failure: { kind: 'javascript', ...(name !== undefined && { name }), message },
  ...(at !== undefined && { at }),
  hint,
});
const type = (code: string, message: string, at: string, hint: RegExp) =>
  row(code, 'TypeError', message, at, hint);
const reference = (code: string, message: string, hint: RegExp) =>
  row(code, 'ReferenceError', message, undefined, hint);
const syntax = (code: string, message: string, at: string | undefined, hint: RegExp) =>
  row(code, 'SyntaxError', message, at, hint);
const kind = (name: string, message: string, hint: RegExp): Row => ({
  code: 'return 1',
  failure: { kind: name, message },
  hint,
});

const ROWS: Row[] = [
  type('tools.getUsr()', 'not a function', 'getUsr', /no tool "getUsr".*tools\.getUser\?/),
  type('tools.a_b()', 'not a function', 'a_b', /tools\['a-b'\]/),
  type("tools['list-orders']()", 'not a function', 'tools', /tools\.list_orders/),
  type(
    'tools.github.list()',
    "cannot read property 'list' of undefined",
    'tools',
    /brackets: tools\['github\.list'\]/,
  ),
  type('tools.weather()', 'not a function', 'weather', /Tools: tools\.getUser, tools\['a-b'\]/),
  type('tools.getUser.run()', 'not a function', 'run', /call it.*await tools\.getUser/),
  type('const x = 1; x()', 'not a function', 'x()', /x is not a function/),
  type('rows.map((x) => x)', 'not a function', '(x) => x', /rows is no array/),
  type('tools.getUser().map(f)', 'not a function', 'map', /\(await tools\.getUser\(\)\)\.map/),
  type('const r = tools.getUser(); r.map(f)', 'not a function', 'map', /r is a promise/),
  type('user.nme()', 'not a function', 'nme', /user has no method nme/),
  type('const r = tools.getUser(); r.a.b', "cannot read property 'b' of undefined", 'r.a', /r is a promise/),
  type('return tools.getUser().a.b', "cannot read property 'b' of undefined", 'getUser', /Await the call/),
  type(
    'const { a } = tools.getUser(); a.b',
    "cannot read property 'b' of undefined",
    'a.b',
    /destructured: await tools\.getUser/,
  ),
  type('let u; u.x', "cannot read property 'x' of undefined", 'u.x', /\.x is read from/),
  type(
    'for (const a of tools.getUser()) {}',
    'value is not iterable',
    'getUser',
    /of await tools\.getUser\(\)/,
  ),
  type('for (const a of rows) {}', 'value is not iterable', 'rows', /rows is no list/),
  type('const a = 1; a = 2', "'a' is read-only", 'a = 2', /with let/),
  type('1n + 1', 'cannot convert BigInt to number', '1n', /Do not mix/),
  type('JSON.stringify({ a: 1n })', 'BigInt are forbidden in JSON.stringify', 'stringify', /Number\(value\)/),
  type('await tools.getUser(1)', 'the argument of a tool must be a plain object', 'getUser', /one object/),
  row('f()', 'RangeError', 'Maximum call stack size exceeded', 'f', /loop instead of the recursion/),
  row('throw 1', undefined, 'the program threw a value that is no Error: 1', undefined, /new Error/),
  row('x', 'AggregateError', 'the program threw an error without a message', undefined, /error\.errors/),
  reference("fetch('x')", 'fetch is not defined', /no network.*Tools: tools\.getUser/),
  reference('process.env', 'process is not defined', /no process/),
  reference('Buffer.from([])', 'Buffer is not defined', /Uint8Array/),
  reference('document.title', 'document is not defined', /no browser/),
  reference('getUser()', 'getUser is not defined', /tools\.getUser\(/),
  reference('getUsr()', 'getUsr is not defined', /Did you mean tools\.getUser\?/),
  reference('total = 1; total', 'total is not defined', /let total/),
  reference('f(total); total == 1', 'total is not defined', /Declare total before/),
  reference('x.y; let x', 'x is not initialized', /Move the declaration of x/),
  reference("await import('fs')", "could not load module 'fs'", /no modules.*Tools:/),
  reference('print(1)', 'print is not defined', /console\.log/),
  reference('Sure', 'Sure is not defined', /no program/),
  reference('ls -la', 'ls is not defined', /shell command/),
  reference('f<string>(1)', 'string is not defined', /language: 'ts'/),
  syntax('return “x”', 'unexpected character', '“', /straight quotes/),
  syntax('return 1\u200b', 'unexpected character', '\u200b', /U\+200B/),
  syntax('npm install x', "expecting ';'", 'install', /shell command/),
  syntax('git status\ngit push', "expecting ';'", 'status', /shell command/),
  syntax('Here is the code:', "expecting ';'", 'is', /prose/),
  syntax('I will call the tool now.', "expecting ';'", 'will', /prose/),
  syntax('def f(x):\n  return x', "expecting ';'", 'f', /Python/),
  syntax('SELECT * FROM t', "expecting ';'", 't', /SQL/),
  syntax('<html></html>', "unexpected token in expression: '<'", '<', /markup/),
  syntax('https://example.com', "unexpected token in expression: '}'", undefined, /address/),
  syntax('# Title\nreturn 1', 'invalid first character of private name', '#', /comments with \/\//),
  syntax("return 'abc", 'unexpected end of string', "'abc", /Close the string/),
  syntax('f(', "unexpected token in expression: '}'", '', /not closed at the end/),
  syntax('if (x {', "Unexpected token '{'", '{', /missing bracket/),
  syntax('function f() { await g() }', "expecting ';'", 'g()', /async/),
  syntax('let a = 1;\nlet a', 'invalid redefinition of lexical identifier', 'a', /each name once/),
  syntax(
    "JSON.parse('{x')",
    "Expected property name or '}' in JSON at position 1",
    'parse',
    /no JSON\.parse/,
  ),
  syntax('Done.\n~~~\nx y\n', "expecting ';'", 'y', /missing bracket/),
  kind('timeout', 'the program used more CPU time than its limit of 5 ms', /never ends/),
  kind('timeout', 'the program ran longer than its limit of 5 ms', /Promise\.all/),
  kind('memory', 'the program reached its memory limit of 5 bytes', /Keep less/),
  kind('result', 'the result cannot be sent: $.f is a promise; await it', /Await it/),
  kind('result', 'the result cannot be sent: $ is a function, which JSON does not have', /call it/),
  kind('result', 'the result cannot be sent: $ is a BigInt', /String\(value\)/),
  kind('result_limit', 'the result is larger than its limit', /summary/),
  kind('limit', 'the program made more than 2 tool calls', /fewer calls/),
  kind('javascript', 'the program never settles: it awaits a promise', /Await only/),
];

const CODES = ['FAILED', 'INPUT_INVALID', 'RESULT_INVALID', 'RESULT_TOO_LARGE', 'TIMEOUT', 'DENIED'];

function readingOf(text: string): Reading {
  const reading = read({ text, language: 'js', normalize: true }, undefined);
  assert.ok(reading !== undefined);
  return reading;
}

describe('source: hints', () => {
  for (const { code, failure, at, hint } of ROWS) {
    it(`${failure.message.slice(0, 50)}, of ${JSON.stringify(code)}`, () => {
      const reading = readingOf(code);
      const offset = at === undefined ? -1 : reading.text.lastIndexOf(at);
      const line = reading.text.slice(0, offset).split('\n');
      const position = offset < 0 ? undefined : { line: line.length, column: (line.at(-1) ?? '').length + 1 };
      const explained = explain({ kind: 'javascript', ...failure, position }, reading, code, TOOLS);
      assert.match(explained.hint ?? '', hint);
    });
  }

  for (const code of CODES) {
    it(`has something to say to TOOL_${code}`, () => {
      const failure = { kind: 'javascript', message: 'm', code: `TOOL_${code}` };
      assert.ok((explain(failure, readingOf('f()'), 'f()', TOOLS).hint ?? '') !== '');
    });
  }

  it('has nothing to say where there is nothing to say', () => {
    const failure = { kind: 'javascript', name: 'Error', message: 'the order is closed' };
    assert.equal(explain(failure, readingOf('f()'), 'f()', TOOLS).hint, undefined);
    assert.equal(
      explain({ kind: 'cancelled', message: 'm' }, readingOf('f()'), 'f()', TOOLS).hint,
      undefined,
    );
  });

  it('says that a last expression was taken for the result', () => {
    const failure = { kind: 'result', message: 'the result cannot be sent: $ is a Map' };
    assert.match(
      explain(failure, readingOf('const m = new Map(); m'), '', TOOLS).hint ?? '',
      /last expression/,
    );
    assert.doesNotMatch(explain(failure, readingOf('return m'), '', TOOLS).hint ?? '', /last expression/);
  });

  it('names the tools to a program that was refused', () => {
    const code = '\nimport fs from "fs"';
    const explained = explainRefusal(readingOf(code), code, TOOLS);
    assert.match(explained?.hint ?? '', /Tools: tools\.getUser, tools\['a-b'\]/);
    assert.deepEqual(explained?.position, { line: 2, column: 1, sourceLine: 'import fs from "fs"' });
    assert.match(explainRefusal(readingOf(code), code, [])?.hint ?? '', /no tools/);
  });

  it('stays short, and quick, whatever the text and the tools are', () => {
    const names = Array.from({ length: 512 }, (_, i) => `${'tool'.repeat(60)}-${i}`);
    for (const code of [
      '\n'.repeat(200_000),
      ' '.repeat(200_000),
      'a '.repeat(100_000),
      `tools.${'x'.repeat(4_000)}()`,
    ]) {
      for (const [name, message] of [
        ['ReferenceError', 'a is not defined'],
        ['SyntaxError', 'x'],
        ['TypeError', 'not a function'],
      ]) {
        const failure = {
          kind: 'javascript',
          name,
          message: message ?? '',
          position: { line: 1, column: 7 },
        };
        const { hint = '', position } = explain(failure, readingOf(`${code};x y`), code, names);
        assert.ok(hint.length < 1_200 && (position?.sourceLine.length ?? 0) <= 202, hint);
      }
    }
  });
});

describe('source: explained places', () => {
  const code = 'Sure:\r\n```js\r\nasync function main() {\r\n  null.x;\r\n}\r\nmain()\r\n```';

  it('are those of the submitted text, in the stack too', () => {
    const stack = '    at main (program.js:2:3)\n    at program.js:4:11';
    const explained = explain(
      { kind: 'javascript', message: 'm', stack, position: { line: 2, column: 3 } },
      readingOf(code),
      code,
      [],
    );
    assert.deepEqual(explained.position, { line: 4, column: 3, sourceLine: '  null.x;' });
    assert.equal(explained.stack, '    at main (program.js:4:3)\n    at program.js:6:1');
  });

  it('leave out frames in what was put in', () => {
    const text = 'async function main() { null.x }';
    const stack = '    at main (program.js:1:25)\n    at program.js:2:14';
    const explained = explain({ kind: 'javascript', message: 'm', stack }, readingOf(text), text, []);
    assert.equal(explained.stack, '    at main (program.js:1:25)');
  });

  it('keep a place that no text has', () => {
    const failure = { kind: 'javascript', message: 'm', position: { line: 999, column: 1 } };
    assert.deepEqual(explain(failure, readingOf(code), code, []).position, {
      line: 999,
      column: 1,
      sourceLine: '',
    });
  });
});

describe('source: tool names', () => {
  it('are written so that they can be copied', () => {
    assert.equal(toolExpression('a'), 'tools.a');
    assert.equal(toolExpression('delete'), 'tools.delete');
    assert.equal(toolExpression('3d'), "tools['3d']");
    assert.equal(toolExpression("it's\\"), "tools['it\\'s\\\\']");
  });

  it('are listed within bounds', () => {
    const names = Array.from({ length: 300 }, (_, i) => `tool_${i}`);
    assert.match(toolList(names), /, and 288 more/);
    assert.match(toolList(['x'.repeat(1_000)]), /1 tools: see Object\.keys/);
  });

  it('are found by what is near', () => {
    const names = ['users.list', 'users.get', 'orders.create'];
    assert.equal(nearestTools('usersList', names)[0], 'users.list');
    assert.equal(nearestTools('users_get', names)[0], 'users.get');
    assert.deepEqual(nearestTools('weather', names), []);
  });
});
