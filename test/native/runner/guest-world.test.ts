import assert from 'node:assert/strict';
import { errorOf, executeFrame, Runner, resultOf } from './helper.js';

describe("code-runner: the guest's world", () => {
  it('has the globals of ECMAScript, tools and console, and nothing else', async () => {
    const foreign = [
      'std',
      'os',
      'fs',
      'fetch',
      'process',
      'require',
      'module',
      'exports',
      'scriptArgs',
      'print',
      'gc',
    ];
    foreign.push(
      'performance',
      'navigator',
      'atob',
      'btoa',
      'InternalError',
      'DOMException',
      'queueMicrotask',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
    );
    foreign.push(
      'URL',
      'TextEncoder',
      'structuredClone',
      'crypto',
      'WebAssembly',
      '__program__',
      'log',
      'host_call',
    );
    const code = `return ${JSON.stringify(foreign)}.filter((name) => name in globalThis)`;
    assert.deepEqual(await resultOf(code, { features: ['console'] }), []);
  });

  it('has no module to import, statically or dynamically', async () => {
    assert.equal(await resultOf("try { await import('std') } catch (e) { return e.name }"), 'ReferenceError');
    assert.equal((await errorOf("import fs from 'fs'")).name, 'SyntaxError');
    assert.equal((await errorOf('return import.meta')).name, 'SyntaxError');
  });

  it('is strict, and its this is undefined', async () => {
    assert.equal(
      await resultOf('return this === undefined && (function () { return this === undefined })()'),
      true,
    );
    assert.equal((await errorOf('undeclared = 1')).name, 'ReferenceError');
  });

  it('lets a program declare what a function body can declare', async () => {
    const code =
      "'use strict'; var f; function f() { return 1 } function f() { return 2 } let tools2 = 3; return [f(), tools2]";
    assert.deepEqual(await resultOf(code), [2, 3]);
  });

  it('takes a last line that is a comment', async () => {
    assert.equal(await resultOf('return 1 // done'), 1);
  });

  for (const text of [
    'return 1 } { return 2',
    'return 1 }}; globalThis.escaped = 1; {{',
    '}}\n globalThis.escaped = 1; { async function g() {',
    '}\n async function __program__(){',
    '}} throw 1; {{',
    'return 1 } } /*',
  ]) {
    it(`cannot be left by a text that closes it: ${JSON.stringify(text)}`, async () => {
      assert.equal((await errorOf(text)).name, 'SyntaxError');
    });
  }

  it('says where a text closes it', async () => {
    const error = await errorOf('const a = 1;\nif (a) { return 2 }\n}} throw 1; {{');
    assert.deepEqual(error.position, { line: 3, column: 1 });
  });

  it('runs in UTC', async () => {
    assert.equal(
      await resultOf('return new Date(0).getTimezoneOffset() + new Date(2020, 5, 1).getHours()'),
      0,
    );
  });

  it('has the time of the host', async () => {
    const difference = Math.abs(Number(await resultOf('return Date.now()')) - Date.now());
    assert.ok(difference < 60_000);
  });

  it('has random numbers that differ from run to run', async () => {
    const numbers = await Promise.all(Array.from({ length: 4 }, () => resultOf('return Math.random()')));
    assert.equal(new Set(numbers).size, 4);
  });

  it('evaluates code of its own', async () => {
    assert.deepEqual(await resultOf("return [eval('1 + 1'), new Function('a', 'return a * 2')(4)]"), [2, 8]);
  });

  it('awaits what is not a promise, and iterates asynchronously', async () => {
    const code =
      'async function* g() { yield 1; yield 2 } const all = []; for await (const n of g()) all.push(n); return [...all, await 3]';
    assert.deepEqual(await resultOf(code), [1, 2, 3]);
  });

  it('is a new one in every process', async () => {
    const code = 'const before = globalThis.left; globalThis.left = 1; return before === undefined';
    assert.equal(await resultOf(code), true);
    assert.equal(await resultOf(code), true);
  });

  it('keeps code with lone surrogates and every plane intact', async () => {
    const code = "return ['😀'.length, '\\ud83d'.charCodeAt(0), 'a\u0301'.length]";
    assert.deepEqual(
      (await new Runner().send(executeFrame({ code })).ended()).terminal?.result,
      [2, 0xd83d, 2],
    );
  });
});
