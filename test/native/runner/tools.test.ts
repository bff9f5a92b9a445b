import assert from 'node:assert/strict';
import { ALL_FEATURES, errorOf, executeFrame, Runner, resultOf, run, VERSION } from './helper.js';

const echo = (input: Record<string, unknown>) => input;

describe('code-runner: tools', () => {
  it('passes arguments and results through', async () => {
    const value = { a: [1, 2.5, -1e300, null, true], 'é "\\\n\u2028\u0000': '😀', nested: { deep: [[]] } };
    assert.deepEqual(
      await resultOf(`return tools.t(${JSON.stringify(value)})`, { tools: { t: echo } }),
      value,
    );
  });

  it('takes a name of 256 characters, each of them an escape of six', async () => {
    const name = '\u0001'.repeat(256);
    const code = 'const [name] = Object.keys(tools); return tools[name]({ a: 1 })';
    assert.deepEqual(await resultOf(code, { tools: { [name]: echo } }), { a: 1 });
  });

  it('sends {} for a call without an argument, and for undefined', async () => {
    assert.deepEqual(
      await resultOf('return [await tools.t(), await tools.t(undefined)]', { tools: { t: echo } }),
      [{}, {}],
    );
  });

  it('gives null for an answer without a result', async () => {
    const runner = new Runner().send(executeFrame({ code: 'return [await tools.t()]', tools: ['t'] }));
    const { id } = await runner.frame('tool.call');
    runner.send({ version: VERSION, type: 'tool.result', id, ok: true });
    assert.deepEqual((await runner.ended()).terminal?.result, [null]);
  });

  it('rejects with the code and message of the host', async () => {
    const code = `try { await tools.t() } catch (e) { return [e instanceof Error, e.name, e.code, e.message] }`;
    const tools = {
      t: () => {
        throw Object.assign(new Error('not "there"\u2028'), { code: 'E_GONE' });
      },
    };
    assert.deepEqual(await resultOf(code, { tools }), [true, 'Error', 'E_GONE', 'not "there"\u2028']);
  });

  it('names the line of the call when a rejection is not caught', async () => {
    const tools = {
      t: () => {
        throw new Error('no');
      },
    };
    const error = await errorOf('const f = async () => {\n  await tools.t();\n};\nawait f();', { tools });
    assert.equal(error.message, 'no');
    assert.equal(error.position?.line, 2);
  });

  it('has exactly the declared names as own enumerable keys, whatever they are', async () => {
    const names = [
      'a-b',
      'a_b',
      '__proto__',
      'constructor',
      'delete',
      '3d',
      '7',
      'toString',
      'github.list',
      'é€😀',
      ' ',
    ];
    const runner = new Runner().send(executeFrame({ code: 'return Object.keys(tools)', tools: names }));
    const { terminal } = await runner.ended();
    assert.deepEqual(new Set(terminal?.result as string[]), new Set(names));
  });

  it('calls a tool by any of those names', async () => {
    for (const name of ['__proto__', 'constructor', '3d', '7', 'é"\\']) {
      const code = `return tools[${JSON.stringify(name)}]({ x: 1 })`;
      const runner = new Runner().send(executeFrame({ code, tools: ['other', name] }));
      const call = await runner.frame('tool.call');
      assert.equal(call.name, name);
      runner.answer(call.id, 'done');
      assert.equal((await runner.ended()).terminal?.result, 'done');
    }
  });

  it('cannot be changed or extended by a program', async () => {
    const code = `
      const attempts = [() => { tools = 1 }, () => { tools.t = 1 }, () => { tools.u = 1 }, () => { delete tools.t },
        () => Object.defineProperty(globalThis, 'tools', { value: 1 }), () => Object.setPrototypeOf(tools, {})];
      const refused = attempts.filter((attempt) => { try { attempt(); return false } catch { return true } }).length;
      return [refused, Object.isFrozen(tools), Object.getPrototypeOf(tools), typeof tools.t, typeof tools.u];`;
    assert.deepEqual(await resultOf(code, { tools: { t: echo } }), [6, true, null, 'function', 'undefined']);
  });

  it('fails in a way that can be caught where a tool is not declared, and sends nothing', async () => {
    const { terminal, frames } = await run('try { await tools.nope({}) } catch (e) { return e.name }', {
      tools: { t: echo },
    });
    assert.equal(terminal?.result, 'TypeError');
    assert.ok(!frames.some((frame) => frame.type === 'tool.call'));
  });

  for (const argument of [
    '[1]',
    '"text"',
    '7',
    'null',
    'true',
    '() => 1',
    '1n',
    '{ a: 1n }',
    '{ a: new Map() }',
    'new Date()',
  ]) {
    it(`rejects the argument ${argument} with a TypeError, and sends nothing`, async () => {
      const code = `try { await tools.t(${argument}) } catch (e) { return [e.constructor === TypeError, e.message] }`;
      const { terminal, frames } = await run(code, { tools: { t: echo } });
      assert.ok(Array.isArray(terminal?.result) && terminal.result[0] === true);
      assert.ok(!frames.some((frame) => frame.type === 'tool.call'));
    });
  }

  it('names the path of what cannot be sent', async () => {
    const error = await errorOf('await tools.t({ list: [{ ok: 1, "a b": 2n }] })', { tools: { t: echo } });
    assert.match(error.message, /\$\.list\[0\]\["a b"\] is a BigInt/);
  });

  it('leaves undefined properties out, and sends null for undefined elements', async () => {
    assert.deepEqual(
      await resultOf('return tools.t({ q: undefined, a: [1, undefined] })', { tools: { t: echo } }),
      { a: [1, null] },
    );
  });

  it('keeps a key __proto__ of a result an own key, without changing any prototype', async () => {
    const code = `const r = await tools.t(); return [Object.keys(r), Object.getPrototypeOf(r) === Object.prototype, ({}).polluted === undefined]`;
    const runner = new Runner().send(executeFrame({ code, tools: ['t'] }));
    const { id } = await runner.frame('tool.call');
    runner.write(
      `{"version":"${VERSION}","type":"tool.result","id":${id},"ok":true,"result":{"__proto__":{"polluted":1},"a":2}}\n`,
    );
    assert.deepEqual((await runner.ended()).terminal?.result, [['__proto__', 'a'], true, true]);
  });

  it('keeps lone surrogates of results and arguments', async () => {
    const code = `const r = await tools.t({ s: '\\ud800x' }); return [r.s.length, r.s.charCodeAt(0)]`;
    const runner = new Runner().send(executeFrame({ code, tools: ['t'] }));
    const call = await runner.frame('tool.call');
    assert.equal(call.arguments?.['s'], '\ud800x');
    runner.write(
      `{"version":"${VERSION}","type":"tool.result","id":${call.id},"ok":true,"result":{"s":"\\udc00\\ud800"}}\n`,
    );
    assert.deepEqual((await runner.ended()).terminal?.result, [2, 0xdc00]);
  });

  it('is really parallel under Promise.all, and takes answers in any order', async () => {
    const code = 'return Promise.all([1, 2, 3, 4].map((n) => tools.t({ n })))';
    const runner = new Runner().send(executeFrame({ code, tools: ['t'], features: ALL_FEATURES }));
    await runner.frame('tool.call', 3);
    for (const id of [3, 1, 4, 2]) runner.answer(id, id * 10);
    assert.deepEqual((await runner.ended()).terminal?.result, [10, 20, 30, 40]);
  });

  it('lets calls over the concurrency limit wait, in order', async () => {
    const code = 'return Promise.all([1, 2, 3, 4, 5].map((n) => tools.t({ n })))';
    const limits = { maxConcurrentToolCalls: 2 };
    const runner = new Runner().send(executeFrame({ code, tools: ['t'], features: ALL_FEATURES, limits }));
    for (let n = 1; n <= 5; n++) {
      const call = await runner.frame('tool.call', n - 1);
      assert.deepEqual(call.arguments, { n });
      assert.ok(runner.frames.filter((frame) => frame.type === 'tool.call').length <= n + 1);
      runner.answer(call.id, n);
    }
    assert.deepEqual((await runner.ended()).terminal?.result, [1, 2, 3, 4, 5]);
  });

  it('ends when the program settles, whatever calls are still open', async () => {
    const { terminal } = await new Runner()
      .send(executeFrame({ code: 'tools.t(); return 1', tools: ['t'], features: ALL_FEATURES }))
      .ended();
    assert.deepEqual([terminal?.result, terminal?.metrics?.toolCalls], [1, 1]);
  });

  for (const [calls, code, open] of [
    [
      'that were sent, and those that wait for their turn',
      'for (let i = 0; i < 9; i++) tools.t(); return 1',
      9,
    ],
    ['also if it fails', "for (let i = 0; i < 9; i++) tools.t(); throw new Error('x')", 9],
    [
      'which are none if all are settled',
      'await Promise.all([tools.t(), tools.t(), tools.t()]); return 1',
      undefined,
    ],
  ] as const) {
    it(`says how many calls are open when the program settles, ${calls}`, async () => {
      const limits = { maxConcurrentToolCalls: 2 };
      const execute = executeFrame({ code, tools: ['t'], features: ALL_FEATURES, limits });
      const runner = new Runner().send(execute);
      for (let n = 0; open === undefined && n < 3; n++) {
        runner.answer((await runner.frame('tool.call', n)).id, n);
      }
      const { terminal } = await runner.ended();
      assert.equal(terminal?.metrics?.openToolCalls, open);
    });
  }

  it('says how many calls are open to no host that does not know of several', async () => {
    const code = 'tools.t(); tools.t(); return 1';
    const { terminal } = await new Runner().send(executeFrame({ code, tools: ['t'] })).ended();
    assert.deepEqual(Object.keys(terminal?.metrics ?? {}), ['elapsedMs', 'toolCalls']);
  });

  it('takes an argument that calls a tool while it is encoded', async () => {
    const code = `const inner = { toJSON() { tools.t({ n: 1 }); return { n: 2 } } };
      return tools.t({ before: [1, 2, 3], inner, get after() { tools.t({ n: 3 }); return 4 } })`;
    const expected = { before: [1, 2, 3], inner: { n: 2 }, after: 4 };
    assert.deepEqual(await resultOf(code, { tools: { t: echo } }), expected);
  });

  it('rejects an argument that does not fit a frame, and goes on', async () => {
    const code = `const error = await tools.t({ s: 'x'.repeat(3000) }).catch((e) => e); return [error.message, await tools.t({ n: 1 })]`;
    const result = await resultOf(code, { tools: { t: echo }, options: ['--max-frame-bytes', '2000'] });
    assert.deepEqual(result, ['the argument of a tool cannot be sent: it is too large', { n: 1 }]);
  });

  it('is not influenced by what a program has done to built-in objects', async () => {
    const code = `
      const broken = () => { throw new Error('patched') };
      const { defineProperty, getPrototypeOf } = Object;
      const { ownKeys } = Reflect;
      JSON.stringify = JSON.parse = broken;
      const constructors = [Promise, Array, Object, String, Function, Map, Set, RegExp, Symbol, Number, Error];
      for (let i = 0; i < constructors.length; i++) {
        const keys = ownKeys(constructors[i].prototype);
        for (let j = 0; j < keys.length; j++) {
          if (keys[j] === 'constructor' || keys[j] === '__proto__') continue;
          try { defineProperty(constructors[i].prototype, keys[j], { value: broken }) } catch {}
        }
      }
      Error.prepareStackTrace = broken;
      console.log('still', { here: [1] });
      return { value: (await tools.t({ value: 20 })).value + 1 }`;
    const { terminal, frames } = await run(code, { tools: { t: echo } });
    assert.deepEqual(terminal?.result, { value: 21 });
    assert.equal(frames.find((frame) => frame.type === 'log')?.text, 'still { here: [ 1 ] }');
  });

  it('hands nothing of its own to a program through the frames of a stack', async () => {
    const code = `
      let seen = [];
      Error.prepareStackTrace = (error, frames) => { seen = frames; return 'x' };
      await tools.t({ toJSON() { new Error().stack; Error.captureStackTrace({}); return {} } });
      return seen.length`;
    assert.equal(await resultOf(code, { tools: { t: echo } }), 0);
  });
});
