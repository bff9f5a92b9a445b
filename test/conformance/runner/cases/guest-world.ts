/** The section "The guest's world" of code-bridge-v1: what a program finds, and what it does not. */
import assert from 'node:assert/strict';
import { section, type Tools, WAITED_MS } from '../suite.js';

const nothing: Tools = { t: () => null };

const globals = section('the guest’s world: globals', [], (add) => {
  for (const name of [
    'std',
    'os',
    'fs',
    'fetch',
    'process',
    'require',
    'module',
    'exports',
    'Deno',
    'Bun',
    'WebAssembly',
  ]) {
    add(`there is no ${name}`, async (bench) => {
      assert.equal(await bench.value(`return typeof ${name}`), 'undefined');
    });
  }

  for (const name of [
    'console',
    'setTimeout',
    'setInterval',
    'queueMicrotask',
    'URL',
    'TextEncoder',
    'crypto',
    'performance',
    'structuredClone',
    'atob',
  ]) {
    add(`in the base there is no ${name}: it belongs to an extension`, async (bench) => {
      assert.equal(await bench.value(`return typeof ${name}`), 'undefined');
    });
  }

  for (const name of [
    'Promise',
    'Map',
    'Proxy',
    'Reflect',
    'JSON',
    'BigInt',
    'WeakRef',
    'Symbol',
    'Uint8Array',
  ]) {
    add(`ECMAScript of the engine: there is ${name}`, async (bench) => {
      assert.notEqual(await bench.value(`return typeof ${name}`), 'undefined');
    });
  }

  for (const specifier of ['std', 'os', 'fs', 'node:fs', './x.js', '/etc/passwd', 'data:text/javascript,1']) {
    add(`no module loader: import('${specifier}') fails`, async (bench) => {
      const code = `try { await import(${JSON.stringify(specifier)}); return 'loaded' } catch { return 'failed' }`;
      const { ok, result, error } = await bench.terminal(code);
      assert.equal(ok ? result : error?.kind, ok ? 'failed' : 'javascript');
    });
  }

  add('no module loader: an import declaration does not compile', async (bench) => {
    assert.equal((await bench.error("import fs from 'fs'; return 1")).kind, 'javascript');
  });

  add('blocking Atomics are off', async (bench) => {
    const code = `if (typeof SharedArrayBuffer === 'undefined') return 'threw';
      try { Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 1); return 'waited' } catch { return 'threw' }`;
    assert.equal(await bench.value(code), 'threw');
  });
});

const toolsObject = section('the guest’s world: tools', [], (add) => {
  const names: Tools = { b: () => 1, 'a.c': () => 2, constructor: () => 3, '7': () => 4 };
  for (const [name, expression, expected] of [
    ['it is frozen', 'Object.isFrozen(tools)', true],
    ['it has a null prototype', 'Object.getPrototypeOf(tools)', null],
    ['the global is not writable', "Object.getOwnPropertyDescriptor(globalThis, 'tools').writable", false],
    [
      'the global is not configurable',
      "Object.getOwnPropertyDescriptor(globalThis, 'tools').configurable",
      false,
    ],
    [
      'the declared names are its own enumerable keys',
      'Object.keys(tools).sort()',
      ['7', 'a.c', 'b', 'constructor'],
    ],
    ['it has no other own keys', 'Reflect.ownKeys(tools).length', 4],
    [
      'what is not declared is undefined',
      "[typeof tools.toString, 'hasOwnProperty' in tools]",
      ['undefined', false],
    ],
    ['each tool is a function', 'Object.values(tools).every((tool) => typeof tool === "function")', true],
    [
      'a tool cannot be used as a constructor',
      '(() => { try { new tools.b(); return "made" } catch { return "threw" } })()',
      'threw',
    ],
  ] as const) {
    add(name, async (bench) => {
      assert.deepEqual(await bench.value(`return ${expression}`, { tools: names }), expected);
    });
  }

  for (const [name, code] of [
    ['assign a tool', 'tools.t = () => 1'],
    ['add a tool', 'tools.more = () => 1'],
    ['delete a tool', 'delete tools.t'],
    ['replace the global', 'globalThis.tools = {}'],
    ['redefine the global', "Object.defineProperty(globalThis, 'tools', { value: {} })"],
    ['delete the global', 'delete globalThis.tools'],
    ['set its prototype', 'Object.setPrototypeOf(tools, {})'],
  ] as const) {
    add(`a program cannot ${name}`, async (bench) => {
      const after = 'return [Object.keys(tools), await tools.t()]';
      const tools: Tools = { t: () => 'host' };
      assert.deepEqual(await bench.value(`try { ${code} } catch {} ${after}`, { tools }), [['t'], 'host']);
    });
  }

  add('without tools it is an empty object', async (bench) => {
    assert.deepEqual(await bench.value('return [typeof tools, Object.keys(tools)]'), ['object', []]);
  });

  add(
    'the dispatcher behind it is unreachable: globals are those of ECMAScript, and tools',
    async (bench) => {
      const code = `const known = new Set(${JSON.stringify(ECMASCRIPT_GLOBALS)});
      return Reflect.ownKeys(globalThis).filter((key) => !known.has(key) && key !== Symbol.toStringTag).map(String)`;
      assert.deepEqual(await bench.value(code, { tools: nothing }), ['tools']);
    },
  );

  add(
    'the dispatcher behind it is unreachable: a tool has nothing of its own but name and length',
    async (bench) => {
      const code = `return [Reflect.ownKeys(tools.t).filter((key) => !['name', 'length'].includes(key)).map(String),
      Object.getPrototypeOf(tools.t) === Function.prototype]`;
      assert.deepEqual(await bench.value(code, { tools: nothing }), [[], true]);
    },
  );

  add('prototypes that the program has changed do not reach the dispatcher', async (bench) => {
    const code = `
      for (const target of [Object.prototype, Array.prototype, Function.prototype, Promise.prototype, String.prototype]) {
        for (const key of ['toJSON', 'call', 'apply', 'get', 'set', 'value', 'id', 'name', 'ok', 'result']) {
          try { Object.defineProperty(target, key, { configurable: true, get() { throw new Error('touched ' + key) }, set() {} }) } catch {}
        }
      }
      return await tools.t({ a: [1] })`;
    const { ok, result, error } = await bench.terminal(code, { tools: { t: () => ({ b: 2 }) } });
    // A toJSON that the program has put on every object is the program's own; nothing else may be touched.
    if (ok) assert.deepEqual(result, { b: 2 });
    else assert.match(error?.message ?? '', /toJSON/);
  });

  add(
    'a name that is no property of a function keeps the program’s hands off: Function.prototype.call',
    async (bench) => {
      const code = 'Function.prototype.call = Function.prototype.apply = () => 7; return await tools.t()';
      assert.equal(await bench.value(code, { tools: { t: () => 'host' } }), 'host');
    },
  );
});

const body = section('the guest’s world: the program', [], (add) => {
  for (const [name, code, expected] of [
    ['return gives the result', 'if (true) return 1; return 2', 1],
    ['await is allowed', 'return await Promise.resolve(3)', 3],
    ['for await is allowed', 'let n = 0; for await (const i of [1, Promise.resolve(2)]) n += i; return n', 3],
    ['a promise that is returned is awaited', 'return Promise.resolve(4)', 4],
    ['it is strict: this is undefined', 'return this === undefined', true],
    [
      'it is strict: an undeclared name is no variable',
      'try { leak = 1 } catch (e) { return e.name }',
      'ReferenceError',
    ],
    [
      'it is a function: a declaration is no global',
      'var leak = 1; return globalThis.leak === undefined',
      true,
    ],
    ['a comment at its end is closed by the line', 'return 1 // the end', 1],
    ['a html-like comment is no way out', 'return 1\n--> x', undefined],
    ['a directive at its start is allowed', "'use strict'; return 1", 1],
  ] as const) {
    add(`the body of a strict async function: ${name}`, async (bench) => {
      const { ok, result, error } = await bench.terminal(code);
      if (expected === undefined) assert.ok(ok || error?.kind === 'javascript');
      else assert.deepEqual(result, expected);
    });
  }

  for (const [name, code] of [
    ['with', 'with ({}) {}'],
    ['octal literals', 'return 010'],
    ['delete of a name', 'const a = 1; delete a'],
    ['a parameter twice', 'return (function (a, a) {})'],
  ] as const) {
    add(`it is strict: no ${name}`, async (bench) => {
      assert.equal((await bench.error(code)).kind, 'javascript');
    });
  }

  for (const code of [
    'return 1 } async function more() { return 2',
    '} globalThis.escaped = 1; {',
    '}); (async () => { return 5',
    '}}} {{{',
    'return 1; }} function f() {{',
    '/*',
    'return `',
  ]) {
    add(`no text can close the function: ${code}`, async (bench) => {
      assert.equal((await bench.error(code)).kind, 'javascript');
    });
  }

  for (const [name, code] of [
    ['a promise without an owner', 'await new Promise(() => {})'],
    [
      'a promise of its own',
      'let resolve; const p = new Promise((r) => { resolve = r }); await p; resolve()',
    ],
    ['a thenable that does nothing', 'await { then() {} }'],
    ['after a tool was answered', 'await tools.t(); await new Promise(() => {})'],
    [
      'an async generator',
      'for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });',
    ],
  ] as const) {
    add(`a program that nothing can wake any more fails at once: ${name}`, async (bench) => {
      const { error, metrics } = await bench.terminal(code, { tools: nothing });
      assert.equal(error?.kind, 'javascript');
      assert.match(error.message, /settle/);
      assert.ok((metrics?.elapsedMs ?? 0) < WAITED_MS, 'it waited for its deadline');
    });
  }

  add('a program that waits for a tool as well is not failed', async (bench) => {
    const code = 'return await Promise.race([new Promise(() => {}), tools.t()])';
    const tools: Tools = { t: () => new Promise((resolve) => setTimeout(() => resolve('late'), 100)) };
    assert.equal(await bench.value(code, { tools }), 'late');
  });
});

/** The properties of the global object in ECMA-262, in any edition and proposal that an engine may have. */
const ECMASCRIPT_GLOBALS = [
  ...['globalThis', 'Infinity', 'NaN', 'undefined', 'eval', 'isFinite', 'isNaN', 'parseFloat', 'parseInt'],
  ...['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape'],
  ...[
    'AggregateError',
    'Array',
    'ArrayBuffer',
    'AsyncDisposableStack',
    'BigInt',
    'BigInt64Array',
    'BigUint64Array',
  ],
  ...[
    'Boolean',
    'DataView',
    'Date',
    'DisposableStack',
    'Error',
    'EvalError',
    'FinalizationRegistry',
    'Float16Array',
  ],
  ...[
    'Float32Array',
    'Float64Array',
    'Function',
    'Int8Array',
    'Int16Array',
    'Int32Array',
    'Iterator',
    'Map',
    'Number',
  ],
  ...[
    'Object',
    'Promise',
    'Proxy',
    'RangeError',
    'ReferenceError',
    'RegExp',
    'Set',
    'SharedArrayBuffer',
    'String',
  ],
  ...[
    'SuppressedError',
    'Symbol',
    'SyntaxError',
    'TypeError',
    'Uint8Array',
    'Uint8ClampedArray',
    'Uint16Array',
  ],
  ...[
    'Uint32Array',
    'URIError',
    'WeakMap',
    'WeakRef',
    'WeakSet',
    'Atomics',
    'Intl',
    'JSON',
    'Math',
    'Reflect',
  ],
  ...['Temporal', 'ShadowRealm'],
];

export const guestWorld = [globals, toolsObject, body];
