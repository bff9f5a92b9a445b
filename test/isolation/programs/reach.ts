/** Ways out of the language: to objects of the host, to modules, to what is around the engine. */
import assert from 'node:assert/strict';
import { HOST_MARKER } from '../../support/host-process.js';
import { readableCopy } from '../../support/readable-copy.js';
import { fails, type ProgramAttack, returns } from './attack.js';
import { TEXTS } from './world.js';

/** What other worlds have: Node.js, browsers, shells of QuickJS. Of `Atomics` there is none for want of a second thread. */
const ELSEWHERE = [
  'process require module exports Buffer global __dirname __filename setImmediate Deno Bun',
  'window self document location navigator fetch XMLHttpRequest WebSocket Worker MessageChannel importScripts',
  'std os bjson print scriptArgs gc loadScript InternalError __program__ host_call corrupt',
  'WebAssembly Atomics ShadowRealm',
].flatMap((names) => names.split(' '));

const backwards = (text: string) => [...text].reverse().join('');

export const REACH_ATTACKS: readonly ProgramAttack[] = [
  returns(
    'the global object by constructors: of tools, promises, answers, errors, functions of every kind, the console',
    `const things = [tools.echo, tools.echo({}), await tools.echo({ a: [1] }), (await tools.echo({ a: [1] })).a, await tools.fail().catch((error) => error),
       console, console.log, setTimeout, URL, new URL('https://x.example/'), crypto, crypto.randomUUID, structuredClone, performance, Proxy, eval,
       async () => {}, function* () {}, async function* () {}, new Error('x'), /x/, 1n, Symbol(), ''];
     const found = new Set();
     for (const thing of things)
       for (let object = Object(thing); object !== null; object = Object.getPrototypeOf(object))
         if (typeof object.constructor?.constructor === 'function') found.add(object.constructor.constructor('return this')());
     found.add(Function('return this')()).add((0, eval)('this')).add(new Function('return globalThis')()).add((function* () {}).constructor('yield this')().next().value);
     return [found.size, found.has(globalThis)]`,
    [1, true],
    'its own, and no other',
  ),
  returns(
    'names of other worlds: process, require, std, os, WebAssembly, Atomics, and more',
    `const names = ${JSON.stringify(ELSEWHERE)};
     return names.filter((name) => name in globalThis || (0, eval)('typeof ' + name) !== 'undefined' || Function('return typeof ' + name)() !== 'undefined')`,
    [],
    'none is there',
  ),
  returns(
    'modules, by import() and by import() from text',
    `const names = ['fs', 'node:fs', 'std', 'os', 'qjs:std', './program.js', '/etc/passwd', 'file:///etc/passwd', 'data:text/javascript,1', 'https://x.example/', ''];
     const attempts = [(name) => import(name), (name) => eval('import(' + JSON.stringify(name) + ')'), (name) => import(name, { with: { type: 'json' } }),
       (name) => Function('name', 'return import(name)')(name)];
     const ends = await Promise.all(attempts.flatMap((attempt) => names.map(async (name) => { try { await attempt(name); return name } catch (error) { return error.name } })));
     return [...new Set(ends)].sort()`,
    ['ReferenceError'],
    'ReferenceError',
  ),
  fails('modules, by what would make the text one: import, export from, import.meta, require', 'javascript', [
    "import fs from 'fs'; return fs",
    "export * from 'fs'",
    'return import.meta.url',
    "const fs = require('fs'); return fs",
    'return (0, eval)(\'require("fs")\')',
    "return eval('import.meta')",
  ]),
  {
    name: 'a text that closes the function around it',
    end: 'javascript (SyntaxError); nothing of it runs',
    async attempt(scene) {
      const programs = [
        '}); tools.echo({ escaped: 1 }); (async () => {',
        '} tools.echo({ escaped: 1 }); {',
        'return 1 }}; tools.echo({ escaped: 1 }); {{',
        '}\n async function __program__() { tools.echo({ escaped: 1 })',
        'return 1 } } /*',
        'return `${1',
      ];
      for (const options of [{}, { normalize: false }])
        for (const { run, handled } of await scene.assertAllFail(programs, 'javascript', options)) {
          assert.equal(run.ok || run.error.name, 'SyntaxError');
          assert.deepEqual(handled, []);
        }
    },
  },
  returns(
    'functions around it: by stacks, structured frames, callers and arguments',
    `const seen = [];
     Error.prepareStackTrace = (_, frames) => {
       for (const frame of frames) for (const key of ['getThis', 'getFunction']) if (frame[key]?.() != null) seen.push(key);
       return frames.map((frame) => frame.getFileName?.());
     };
     const files = [new Error('x').stack, await tools.fail().catch((error) => error.stack), (() => { const o = {}; Error.captureStackTrace(o); return o.stack })()];
     await tools.echo({ toJSON() { files.push(new Error('x').stack); return {} } });
     Error.prepareStackTrace = undefined;
     const text = [new Error('x').stack, files].flat(3).filter((file) => typeof file === 'string').join('\\n');
     const foreign = [...text.matchAll(/[\\w./-]*\\.(js|ts|mjs|c|h|node)\\b/g)].map(([name]) => name).filter((name) => name !== 'program.js');
     const callers = [];
     for (const code of ['return arguments.callee.caller', 'return this.caller', 'return (function f() { return f.caller })()']) {
       try { if (Function(code).call(() => {}) != null) callers.push(code) } catch {}
     }
     return { seen, foreign, callers }`,
    { seen: [], foreign: [], callers: [] },
    'none but its own',
  ),
  {
    name: 'everything that it can reach, searched for the host’s environment, paths and user',
    end: 'none found',
    async attempt(scene) {
      const ofTheHost = [
        HOST_MARKER,
        readableCopy(),
        process.execPath,
        process.cwd(),
        'wardenpool-launcher',
        'node_modules',
      ];
      const canary = 'a canary of the attacking program';
      const code = `${TEXTS}
        globalThis[[...${JSON.stringify(backwards(canary))}].reverse().join('')] = 1;
        ROOTS.error = await tools.fail().catch((error) => error);
        ROOTS.stack = [ROOTS.error.stack, new Error('x').stack];
        const all = texts();
        return ${JSON.stringify([canary, ...ofTheHost].map(backwards))}.map((text) => [...text].reverse().join(''))
          .map((text) => all.some((each) => each.includes(text)))`;
      const [itself, ...found] = (await scene.value(code)) as boolean[];
      assert.equal(itself, true, 'it finds what is there');
      assert.deepEqual(
        ofTheHost.filter((_, index) => found[index]),
        [],
      );
    },
  },
  {
    name: 'memory shared with somebody: a SharedArrayBuffer as an argument, and as a result',
    end: 'refused; nothing arrives',
    async attempt(scene) {
      const end = await scene.run(`const shared = new SharedArrayBuffer(8);
        return tools.echo({ shared }).catch((error) => error.name)`);
      assert.equal(end.run.ok && end.run.value, 'TypeError');
      assert.deepEqual(end.handled, []);
      await scene.assertAllFail(['return { shared: new SharedArrayBuffer(8) }'], 'result');
    },
  },
];
