import assert from 'node:assert/strict';
import { errorOf, executeFrame, Runner, resultOf, run } from './helper.js';

const sleep = 'const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));';

/* By the clock of a run with a seed: on a busy machine, real milliseconds pass between two calls of setTimeout. */
const seeded = { seed: '' };

describe('code-runner: timers', () => {
  it('runs callbacks in order of time, then of insertion', async () => {
    const code = `const seen = [];
      for (const [name, ms] of [['c', 20], ['a', 1], ['b', 10], ['d', 20], ['e', 30]]) setTimeout(() => seen.push(name), ms);
      await new Promise((resolve) => setTimeout(resolve, 40));
      return seen.join('')`;
    assert.equal(await resultOf(code, seeded), 'abcde');
  });

  it('waits as long as was asked for', async () => {
    const { terminal } = await run(`${sleep} await sleep(60); return 'done'`);
    assert.equal(terminal?.result, 'done');
    assert.ok((terminal?.metrics?.elapsedMs ?? 0) >= 59);
  });

  it('passes further arguments on, and has undefined as this', async () => {
    const code = `return new Promise((resolve) => setTimeout(function (...values) { resolve([this === undefined, ...values]) }, 0, 1, 'b', null))`;
    assert.deepEqual(await resultOf(code), [true, 1, 'b', null]);
  });

  it('has ids that are positive integers, each its own', async () => {
    const code = 'return [setTimeout(() => {}), setInterval(() => {}), setTimeout(() => {}, 5)]';
    const ids = (await resultOf(code)) as number[];
    assert.ok(ids.every((id) => Number.isSafeInteger(id) && id > 0));
    assert.equal(new Set(ids).size, 3);
  });

  it('takes what is no number, or negative, for 0, and converts what is one', async () => {
    const code = `const seen = [];
      setTimeout(() => seen.push('late'), '15');
      for (const delay of [NaN, -5, undefined, 'x', null, {}, -Infinity, 0.9]) setTimeout(() => seen.push(String(delay)), delay);
      setTimeout(() => seen.push('object'), { valueOf: () => 10 });
      setTimeout(() => seen.push('never'), Infinity);
      setTimeout(() => seen.push('never'), 2 ** 40);
      await new Promise((resolve) => setTimeout(resolve, 30));
      return seen`;
    assert.deepEqual(await resultOf(code, seeded), [
      'NaN',
      '-5',
      'undefined',
      'x',
      'null',
      '[object Object]',
      '-Infinity',
      '0.9',
      'object',
      'late',
    ]);
  });

  for (const handler of ["'globalThis.evaluated = 1'", 'null', '{}', '7', '']) {
    it(`refuses ${handler || 'nothing'} as a callback`, async () => {
      const code = `const names = [];
        for (const f of [setTimeout, setInterval, queueMicrotask]) try { f(${handler}) } catch (e) { names.push(e.name) }
        return names`;
      assert.deepEqual(await resultOf(code), ['TypeError', 'TypeError', 'TypeError']);
    });
  }

  it('runs all jobs between two timers', async () => {
    const code = `const seen = [];
      setTimeout(() => { seen.push('timer 1'); queueMicrotask(() => seen.push('job')); Promise.resolve().then(() => seen.push('reaction')) });
      await new Promise((resolve) => setTimeout(() => { seen.push('timer 2'); resolve() }));
      return seen`;
    assert.deepEqual(await resultOf(code), ['timer 1', 'job', 'reaction', 'timer 2']);
  });

  it('repeats an interval until it is cleared, also from within its callback', async () => {
    const code = `let n = 0;
      return new Promise((resolve) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); setTimeout(() => resolve(n), 20) } }, 2) })`;
    assert.equal(await resultOf(code), 3);
  });

  it('clears timers of both kinds by either function, by number or text, and ignores what is no id', async () => {
    const code = `${sleep} const seen = [];
      const note = () => seen.push(1);
      clearTimeout(setTimeout(note, 5)); clearInterval(setTimeout(note, 5)); clearTimeout(setInterval(note, 5));
      clearTimeout(String(setTimeout(note, 5)));
      for (const no of [undefined, null, 0, -1, 999, NaN, 'x', {}, Symbol()]) { clearTimeout(no); clearInterval(no) }
      await sleep(20);
      return seen.length`;
    assert.equal(await resultOf(code), 0);
  });

  it('keeps the order of thousands of timers of which many are cleared', async () => {
    const code = `let state = 7; const random = (n) => (state = (state * 48271) % 2147483647) % n;
      const seen = [], timers = [], cleared = new Set();
      for (let i = 0; i < 3000; i++) { const ms = random(20); timers.push({ ms, id: setTimeout(() => seen.push(i), ms * 50) }) }
      for (let i = 0; i < 1500; i++) { const at = random(3000); clearTimeout(timers[at].id); cleared.add(at) }
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return [seen.length === 3000 - cleared.size, seen.every((n) => !cleared.has(n)),
        seen.every((n, i) => i === 0 || timers[n].ms > timers[seen[i - 1]].ms || (timers[n].ms === timers[seen[i - 1]].ms && n > seen[i - 1]))]`;
    assert.deepEqual(await resultOf(code, seeded), [true, true, true]);
  });

  it('holds its own against a program that changes built-in objects', async () => {
    const code = `for (const o of [Map.prototype, Array.prototype, Function.prototype, Reflect])
        for (const key of ['get', 'set', 'delete', 'apply', 'call', 'push']) { try { o[key] = () => { throw new Error('patched') } } catch {} }
      Object.defineProperty(Object.prototype, 'next', { get() { throw new Error('read') }, set() { throw new Error('written') } });
      Array.prototype[Symbol.iterator] = null;
      Object.defineProperty(Array.prototype, '0', { set() { throw new Error('element') } });
      let n = 0;
      return new Promise((resolve) => { const id = setInterval((a) => { n += a; if (n > 4) { clearInterval(id); resolve(n) } }, 1, 2) })`;
    assert.equal(await resultOf(code), 6);
  });

  for (const [what, code] of [
    ['a timer', `setTimeout(() => {\n  throw new RangeError('mine') }, 1);`],
    ['an interval', `setInterval(() => {\n  throw new RangeError('mine') }, 1);`],
    ['a microtask', `queueMicrotask(() => {\n  throw new RangeError('mine') });`],
  ] as const) {
    it(`fails the run when the callback of ${what} throws, which the program cannot catch`, async () => {
      const error = await errorOf(
        `try { ${code} await new Promise((r) => setTimeout(r, 1000)) } catch {} return 1`,
      );
      assert.deepEqual(
        [error.kind, error.name, error.message, error.position?.line],
        ['javascript', 'RangeError', 'mine', 2],
      );
    });
  }

  it('does not wait for a timer that is pending at return', async () => {
    const { terminal } = await run('setTimeout(() => { throw 1 }, 3000); setInterval(() => {}, 1); return 5');
    assert.equal(terminal?.result, 5);
    assert.ok((terminal?.metrics?.elapsedMs ?? 9999) < 2000);
  });

  it('keeps the deadline while it waits for a timer', async () => {
    const limits = { timeoutMs: 80 };
    const { terminal } = await run(`${sleep} await sleep(60_000)`, { limits });
    assert.equal(terminal?.error?.kind, 'timeout');
    assert.equal(
      (await errorOf('setInterval(() => {}, 0); await new Promise(() => {})', { limits })).kind,
      'timeout',
    );
  });

  it('is cancelled while it waits for a timer, by a frame or by the end of the host', async () => {
    const frame = executeFrame({ code: `${sleep} await sleep(60_000)`, features: ['timers'] });
    const cancelled = new Runner().send(frame);
    await cancelled.frame('ready');
    cancelled.send({ version: 'code-bridge-v1', type: 'cancel', executionId: 'e-1' });
    assert.equal((await cancelled.ended()).terminal?.error?.kind, 'cancelled');
    const left = new Runner().send(frame);
    await left.frame('ready');
    assert.equal((await left.endInput().ended()).terminal?.error?.kind, 'cancelled');
  });

  it('still fails at once when neither a timer nor a tool can wake the program', async () => {
    const error = await errorOf(
      'const id = setTimeout(() => {}, 50_000); clearTimeout(id); await new Promise(() => {})',
    );
    assert.match(error.message, /never settles/);
    assert.match(
      (await errorOf('setTimeout(() => {}, 5); await new Promise(() => {})')).message,
      /never settles/,
    );
  });

  it('sends what was logged before it waits', async () => {
    const code = `${sleep} console.log('before'); await sleep(60_000)`;
    const runner = new Runner().send(executeFrame({ code, features: ['timers', 'console'] }));
    assert.equal((await runner.frame('log')).text, 'before');
    await runner.endInput().ended();
  });

  it('lets a timer and the answers of a busy host take turns', async () => {
    const tools = { t: () => 1 };
    const code = `let stop = false, calls = 0; setTimeout(() => { stop = true }, 30);
      while (!stop) { await tools.t(); calls++ } return calls > 0`;
    assert.equal(
      await resultOf(code, { tools, limits: { maxToolCalls: 1e6 }, options: ['--max-calls', '1000000'] }),
      true,
    );
    const busy = `let done = false; const wait = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
      setInterval(() => wait(3), 1); await tools.t(); await tools.t(); return 'answered'`;
    assert.equal(await resultOf(busy, { tools }), 'answered');
  });

  it('races a timer against a tool that does not answer', async () => {
    const code = "return Promise.race([tools.t(), new Promise((r) => setTimeout(r, 20, 'too slow'))])";
    assert.equal(await resultOf(code, { tools: { t: () => new Promise(() => {}) } }), 'too slow');
  });

  it('counts timers against the memory of the program', async () => {
    const code = 'for (;;) setTimeout(() => {}, 1e6)';
    const { kind } = await errorOf(code, { options: ['--memory-bytes', '8388608', '--timeout-ms', '60000'] });
    assert.equal(kind, 'memory');
  });

  it('keeps nothing of a timer that was cleared', async () => {
    const code = 'for (let i = 0; i < 200_000; i++) clearTimeout(setTimeout(() => {}, 1e6)); return 1';
    assert.equal(await resultOf(code, { options: ['--memory-bytes', '4194304'] }), 1);
  });

  it('has no timers without the feature', async () => {
    const names = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'queueMicrotask'];
    const code = `return ${JSON.stringify(names)}.filter((name) => name in globalThis)`;
    assert.deepEqual(await resultOf(code, { features: [] }), []);
  });
});
