/** Calls of tools as nobody means them: what arrives at the host, and what does not. */
import assert from 'node:assert/strict';
import type { ProgramEnd } from '../../support/program-host.js';
import { type ProgramAttack, returns } from './attack.js';

const inputsOf = ({ handled }: ProgramEnd) => handled.map(({ input }) => input);

/** An object with such keys as JSON.parse makes it: own ones. */
const PROTOTYPE_KEYS =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"a":[{"__proto__":[1]}]}';

/** Texts as they must arrive: control characters, separators of lines, half a surrogate pair, quotes. */
const TEXTS = [
  '\0',
  '\n',
  '\r\n',
  '\u2028\u2029',
  '\ud800',
  '\udc00\ud800',
  '"},{"',
  '\\',
  '\x7f',
  '\ufeff',
  '😀',
];

export const BRIDGE_ATTACKS: readonly ProgramAttack[] = [
  {
    name: 'arguments larger than a frame, deeper than one, or without end',
    end: 'TypeError in the program; nothing arrives',
    async attempt(scene) {
      const end = await scene.run(`
        let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep };
        const wide = {}; for (let i = 0; i < 1e5; i++) wide['key of the member ' + i] = i;
        const endless = []; endless.length = 4e9;
        const cycle = {}; cycle.cycle = [cycle];
        const arguments_ = [{ s: 'x'.repeat(2 ** 21) }, { deep }, wide, { endless }, cycle, { ['k'.repeat(2 ** 21)]: 1 }];
        return Promise.all(arguments_.map((each) => tools.echo(each).catch((error) => error.name)))`);
      assert.deepEqual(end.run.ok && end.run.value, Array(6).fill('TypeError'));
      assert.deepEqual([end.handled, end.run.toolCalls], [[], []]);
    },
  },
  {
    name: 'arguments that are no object, or that JSON has not',
    end: 'TypeError in the program; nothing arrives',
    async attempt(scene) {
      const end = await scene.run(`
        const arguments_ = [[1], 'text', 7, null, true, () => 1, 1n, Symbol(), { a: 1n }, { a: NaN }, { a: () => 1 }, { a: Symbol() },
          { a: new Map() }, { a: new Uint8Array(1) }, { a: new SharedArrayBuffer(1) }, { a: Promise.resolve() }, { a: new Date(NaN) }];
        const names = await Promise.all(arguments_.map(async (each) => tools.echo(each).catch((error) => error.name)));
        return names.filter((name) => name !== 'TypeError')`);
      assert.deepEqual(end.run.ok && end.run.value, []);
      assert.deepEqual([end.handled, end.run.toolCalls], [[], []]);
    },
  },
  {
    name: 'more calls than the run may make, none awaited, all caught',
    end: 'limit; no more arrive at once than may',
    async attempt(scene) {
      const programs = [
        'for (let i = 0; i < 5000; i++) tools.wait({ i }); return 1',
        'for (let i = 0; i < 5000; i++) tools.wait({ i }).catch(() => {}); await null; return 1',
        'for (let i = 0; i < 5000; i++) { try { tools.wait({ i }) } catch {} } return 1',
      ];
      const limits = { maxToolCalls: 64, maxConcurrentToolCalls: 4 };
      for (const { run, handled } of await scene.assertAllFail(programs, 'limit', { limits })) {
        assert.equal(run.ok || run.error.code, 'TOOL_CALL_LIMIT_EXCEEDED');
        assert.ok(handled.length <= 4, `${handled.length} arrived`);
      }
    },
  },
  {
    name: 'thousands of calls that it may make, none awaited',
    end: 'no more arrive at once than may; abandoned, with a warning',
    async attempt(scene) {
      const { run, handled } = await scene.run('for (let i = 0; i < 5000; i++) tools.wait({ i }); return 1', {
        limits: { maxToolCalls: 10_000, maxConcurrentToolCalls: 16 },
      });
      assert.equal(run.ok && run.value, 1);
      assert.ok(handled.length <= 16, `${handled.length} arrived`);
      assert.ok(run.toolCalls.every(({ outcome }) => outcome === 'abandoned'));
      assert.deepEqual(
        run.warnings.map(({ code }) => code),
        ['TOOL_CALL_NOT_AWAITED'],
      );
    },
  },
  {
    name: 'thousands of calls at once, all awaited',
    end: 'each arrives once, in order, with its own answer',
    async attempt(scene) {
      const code = `const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.echo({ i })));
        return answers.every((answer, i) => answer.i === i)`;
      const end = await scene.run(code, { limits: { maxToolCalls: 1000 } });
      assert.equal(end.run.ok && end.run.value, true);
      assert.deepEqual(
        inputsOf(end),
        Array.from({ length: 1000 }, (_, i) => ({ i })),
      );
    },
  },
  {
    name: 'keys such as __proto__ and constructor, in arguments, answers and the result',
    end: 'own keys, on either side',
    async attempt(scene) {
      const end = await scene.run(`
        const answer = await tools.echo(JSON.parse(${JSON.stringify(PROTOTYPE_KEYS)}));
        if (Object.getPrototypeOf(answer) !== Object.prototype || {}.polluted !== undefined) return 'polluted';
        return answer`);
      assert.equal(JSON.stringify(end.run.ok && end.run.value), PROTOTYPE_KEYS);
      assert.equal(JSON.stringify(inputsOf(end)), `[${PROTOTYPE_KEYS}]`);
      assert.equal(JSON.stringify(end.run.toolCalls[0]?.arguments), PROTOTYPE_KEYS);
    },
  },
  {
    name: 'getters, proxies and toJSON as arguments',
    end: 'called in the sandbox, once; data arrives',
    async attempt(scene) {
      const end = await scene.run(`
        let count = 0;
        const called = (value) => { count++; return value };
        await tools.echo({
          get a() { return called('from a getter') },
          b: new Proxy({ c: 1 }, { get: (_, key) => called(key === 'c' ? 'from a proxy' : undefined) }),
          d: { toJSON: () => called({ toJSON: 'from toJSON' }) },
        });
        return count`);
      assert.deepEqual(inputsOf(end), [
        { a: 'from a getter', b: { c: 'from a proxy' }, d: { toJSON: 'from toJSON' } },
      ]);
      // The proxy is asked for its toJSON, too.
      assert.equal(end.run.ok && end.run.value, 4);
    },
  },
  {
    name: 'arguments that call, throw or change while they are read',
    end: 'each call arrives whole, or not at all',
    async attempt(scene) {
      const end = await scene.run(`
        const grows = { get a() { grows.b = 1; delete grows.c; return 'a' }, c: 1 };
        const calls = { a: 1, get b() { tools.echo({ inner: 1 }); return 2 }, toJSON: undefined, c: { toJSON() { tools.echo({ inner: 2 }); return 3 } } };
        const throws = { a: 'never', get b() { throw new Error('mine') } };
        const outcomes = [];
        for (const each of [grows, calls, throws, {}]) outcomes.push(await tools.echo(each).then(() => 'sent', (error) => error.name));
        return outcomes`);
      assert.deepEqual(end.run.ok && end.run.value, ['sent', 'sent', 'TypeError', 'sent']);
      const inputs = inputsOf(end).map((input) => JSON.stringify(input));
      assert.equal(inputs.length, 5);
      for (const whole of ['{"a":1,"b":2,"c":3}', '{"inner":1}', '{"inner":2}', '{}'])
        assert.ok(inputs.includes(whole), `${whole} of ${inputs}`);
      assert.match(inputs[0] ?? '', /^\{"a":"a"/);
    },
  },
  {
    name: 'texts of every kind: control characters, separators, half a surrogate pair',
    end: 'arrive and come back as they are',
    async attempt(scene) {
      const value = { texts: TEXTS, ...Object.fromEntries(TEXTS.map((text) => [`key ${text}`, text])) };
      const end = await scene.run(`return tools.echo(${JSON.stringify(value)})`);
      assert.deepEqual(end.run.ok && end.run.value, value);
      assert.deepEqual(inputsOf(end), [value]);
    },
  },
  {
    name: 'tools that do not exist, and such as every object has',
    end: 'undefined, TypeError; nothing arrives',
    async attempt(scene) {
      const end = await scene.run(`
        const names = ['nope', 'Echo', 'echo ', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'execute', '0', ''];
        const found = names.filter((name) => name in tools || tools[name] !== undefined);
        const ends = await Promise.all(names.map(async (name) => { try { await tools[name]({}) } catch (error) { return error.name } }));
        return [found, [...new Set(ends)], Object.keys(tools).sort()]`);
      assert.deepEqual(end.run.ok && end.run.value, [[], ['TypeError'], ['echo', 'fail', 'wait']]);
      assert.deepEqual([end.handled, end.run.toolCalls], [[], []]);
    },
  },
  {
    name: 'tools that a neighbour has, that the run was not given, or that write in a run that only reads',
    end: 'do not exist',
    async attempt(scene) {
      const code = `const found = Object.keys(tools);
        for (const name of ['fail', 'wait']) { try { await tools[name]({}) } catch (error) { found.push(error.name) } }
        await tools.echo({}); return found`;
      const ends = await Promise.all([
        scene.run(code, { tools: ['echo'] }),
        scene.run(code, { mode: 'inspect' }),
        scene.run('for (let i = 0; i < 8; i++) await tools.fail().catch(() => {})'),
      ]);
      for (const { run, handled } of ends.slice(0, 2)) {
        assert.deepEqual(run.ok && run.value, ['echo', 'TypeError', 'TypeError']);
        assert.deepEqual(handled, [{ name: 'echo', input: {} }]);
      }
      assert.deepEqual(
        ends[2]?.handled.map(({ name }) => name),
        Array(8).fill('fail'),
      );
    },
  },
  {
    name: 'a tool made into another: renamed, borrowed, bound, replaced, added',
    end: 'stays what it is',
    async attempt(scene) {
      const end = await scene.run(`
        const { echo, fail } = tools;
        const attempts = [() => { tools = {} }, () => { tools.echo = fail }, () => { tools.more = fail }, () => { delete tools.echo },
          () => Object.defineProperty(globalThis, 'tools', { value: 1 }), () => Object.setPrototypeOf(tools, { more: fail })];
        const refused = attempts.filter((attempt) => { try { attempt(); return false } catch { return true } }).length;
        try { Object.defineProperty(echo, 'name', { value: 'fail' }) } catch {}
        echo.toString = () => 'fail';
        await echo.call(fail, { n: 1 }); await Reflect.apply(echo, 'fail', [{ n: 2 }, { name: 'fail' }]); await echo.bind(tools.fail)({ n: 3 });
        return [refused, tools.more === undefined]`);
      assert.deepEqual(end.run.ok && end.run.value, [6, true]);
      assert.deepEqual(
        end.handled,
        [1, 2, 3].map((n) => ({ name: 'echo', input: { n } })),
      );
    },
  },
  returns(
    'what a tool that fails tells of its host',
    `const error = await tools.fail().catch((error) => error);
     return [Object.getOwnPropertyNames(error).sort(), error.code, error.message, error.cause === undefined,
       error.stack.split('\\n').filter((line) => line !== '' && !/ \\(?(native|program\\.js:\\d+:\\d+)\\)?$/.test(line))]`,
    [['code', 'message'], 'TOOL_FAILED', 'The tool failed.', true, []],
    'TOOL_FAILED and no more: its message, stack and cause stay',
  ),
];
