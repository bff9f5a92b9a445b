/** The section "Extensions" of code-bridge-v1: the features that give a program more of an environment. */
import assert from 'node:assert/strict';
import { section, type Tools, WAITED_MS } from '../suite.js';

const timers = section('extension: timers', ['timers'], (add) => {
  const features = ['timers'];

  for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask']) {
    add(`there is ${name}`, async (bench) => {
      assert.equal(await bench.value(`return typeof ${name}`, { features }), 'function');
    });
  }

  add('setTimeout calls later, with its arguments', async (bench) => {
    const code = `const start = Date.now();
      const sum = await new Promise((resolve) => setTimeout((a, b) => resolve(a + b), 100, 1, 2));
      return [sum, Date.now() - start >= 99]`;
    assert.deepEqual(await bench.value(code, { features }), [3, true]);
  });

  add('timers fire in the order of their times', async (bench) => {
    const code = `const order = [];
      const after = (ms) => new Promise((resolve) => setTimeout(() => { order.push(ms); resolve() }, ms));
      await Promise.all([after(120), after(1), after(60)]);
      return order`;
    assert.deepEqual(await bench.value(code, { features }), [1, 60, 120]);
  });

  add('timers of the same time fire in the order in which they were set', async (bench) => {
    const code = `const order = [];
      await new Promise((resolve) => {
        for (let i = 0; i < 5; i++) setTimeout(() => { order.push(i); if (i === 4) resolve() }, 20);
      });
      return order`;
    assert.deepEqual(await bench.value(code, { features }), [0, 1, 2, 3, 4]);
  });

  add('clearTimeout keeps a timer from firing', async (bench) => {
    const code = `let fired = false;
      clearTimeout(setTimeout(() => { fired = true }, 10));
      await new Promise((resolve) => setTimeout(resolve, 60));
      return fired`;
    assert.equal(await bench.value(code, { features }), false);
  });

  add('clearing what is no timer does nothing', async (bench) => {
    const code =
      'for (const id of [undefined, null, 0, -1, 99, {}]) { clearTimeout(id); clearInterval(id) } return 1';
    assert.equal(await bench.value(code, { features }), 1);
  });

  add('setInterval calls again and again, until clearInterval', async (bench) => {
    const code = `let count = 0;
      await new Promise((resolve) => {
        const id = setInterval(() => { if (++count === 3) { clearInterval(id); resolve() } }, 10);
      });
      await new Promise((resolve) => setTimeout(resolve, 60));
      return count`;
    assert.equal(await bench.value(code, { features }), 3);
  });

  add('queueMicrotask runs before any timer', async (bench) => {
    const code = `const order = [];
      await new Promise((resolve) => {
        setTimeout(() => { order.push('timer'); resolve() }, 0);
        queueMicrotask(() => order.push('microtask'));
      });
      return order`;
    assert.deepEqual(await bench.value(code, { features }), ['microtask', 'timer']);
  });

  add('within the deadline: a timer behind it does not fire', async (bench) => {
    const code = 'await new Promise((resolve) => setTimeout(resolve, 60000))';
    assert.equal((await bench.error(code, { features, limits: { timeoutMs: 200 } })).kind, 'timeout');
  });

  add('a timer that is pending when the program settles does not hold it up', async (bench) => {
    const { terminal } = await bench.run('setTimeout(() => {}, 60000); return 1', { features });
    assert.equal(terminal?.result, 1);
    assert.ok((terminal.metrics?.elapsedMs ?? 0) < WAITED_MS);
  });

  add('a program that waits for a timer can be cancelled', async (bench) => {
    const code = 'await tools.go(); await new Promise((resolve) => setTimeout(resolve, 20000))';
    const conversation = bench.execute({ code, features, tools: ['go'] });
    conversation.answer((await conversation.frame('tool.call')).id, null);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await conversation.cancel().ended()).terminal?.error?.kind, 'cancelled');
  });

  add('calls and timers wait side by side', async (bench) => {
    const tools: Tools = { t: () => new Promise((resolve) => setTimeout(() => resolve('tool'), 2000)) };
    const code =
      "return await Promise.race([tools.t(), new Promise((r) => setTimeout(() => r('timer'), 50))])";
    assert.equal(await bench.value(code, { features, tools }), 'timer');
  });

  add('what a timer throws is the program’s failure or nobody’s, and never the runner’s', async (bench) => {
    const code = `setTimeout(() => { throw new Error('in a timer') }, 1);
      await new Promise((resolve) => setTimeout(resolve, 50)); return 1`;
    const { ok, error } = await bench.terminal(code, { features });
    assert.ok(ok || error?.kind === 'javascript');
  });

  add('a program that no timer can wake any more fails at once', async (bench) => {
    const code = 'setTimeout(() => {}, 20); await new Promise(() => {})';
    const { error, metrics } = await bench.terminal(code, { features });
    assert.equal(error?.kind, 'javascript');
    assert.ok((metrics?.elapsedMs ?? 0) < WAITED_MS);
  });

  add('an interval without end is ended by the deadline', async (bench) => {
    const code = 'setInterval(() => {}, 1); await new Promise(() => {})';
    assert.equal((await bench.error(code, { features, limits: { timeoutMs: 200 } })).kind, 'timeout');
  });
});

const web = section('extension: web', ['web'], (add) => {
  const features = ['web'];
  for (const [name, expression, expected] of [
    ['structuredClone', 'structuredClone({ a: [1, { b: null }] })', { a: [1, { b: null }] }],
    [
      'structuredClone keeps cycles',
      '(() => { const a = {}; a.a = a; const b = structuredClone(a); return b !== a && b.a === b })()',
      true,
    ],
    [
      'structuredClone keeps Map, Set and Date',
      '(() => { const c = structuredClone([new Map([[1, 2]]), new Set([3]), new Date(4)]); return [c[0].get(1), c[1].has(3), c[2].getTime()] })()',
      [2, true, 4],
    ],
    [
      'structuredClone refuses functions',
      '(() => { try { structuredClone(() => 1) } catch (e) { return e.name } })()',
      'DataCloneError',
    ],
    ['TextEncoder', "Array.from(new TextEncoder().encode('é😀'))", [195, 169, 240, 159, 152, 128]],
    [
      'TextEncoder replaces lone surrogates',
      "Array.from(new TextEncoder().encode('\\ud800'))",
      [239, 191, 189],
    ],
    ['TextDecoder', 'new TextDecoder().decode(new Uint8Array([195, 169, 240, 159, 152, 128]))', 'é😀'],
    [
      'TextDecoder replaces what is not UTF-8',
      'new TextDecoder().decode(new Uint8Array([97, 255, 98]))',
      'a\ufffdb',
    ],
    [
      'TextDecoder may be fatal',
      "(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e) { return e.name } })()",
      'TypeError',
    ],
    [
      'URL',
      "(({ protocol, host, port, pathname, search, hash }) => [protocol, host, port, pathname, search, hash])(new URL('https://user@example.com:8080/a/../b?x=1#y'))",
      ['https:', 'example.com:8080', '8080', '/b', '?x=1', '#y'],
    ],
    ['URL with a base', "new URL('../c?q', 'https://example.com/a/b/d').href", 'https://example.com/a/c?q'],
    [
      'URL refuses nonsense',
      "(() => { try { new URL('nonsense') } catch (e) { return e.name } })()",
      'TypeError',
    ],
    [
      'URLSearchParams',
      "(() => { const p = new URLSearchParams('a=1&b=2&a=3'); p.append('c', 'é &'); return [p.getAll('a'), p.toString()] })()",
      [['1', '3'], 'a=1&b=2&a=3&c=%C3%A9+%26'],
    ],
    [
      'URL.searchParams writes through',
      "(() => { const u = new URL('https://example.com/?a=1'); u.searchParams.set('b', '2'); return u.href })()",
      'https://example.com/?a=1&b=2',
    ],
    ['btoa', "btoa('hello')", 'aGVsbG8='],
    ['atob', "atob('aGVsbG8=')", 'hello'],
    [
      'btoa refuses characters over U+00FF',
      "(() => { try { btoa('😀') } catch (e) { return e.name } })()",
      'InvalidCharacterError',
    ],
    [
      'crypto.randomUUID',
      '/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())',
      true,
    ],
    [
      'crypto.randomUUID never repeats',
      'new Set(Array.from({ length: 100 }, () => crypto.randomUUID())).size',
      100,
    ],
    [
      'crypto.getRandomValues',
      '(() => { const a = new Uint8Array(64); return crypto.getRandomValues(a) === a && a.some((byte) => byte !== 0) })()',
      true,
    ],
    [
      'performance.now',
      '(() => { const a = performance.now(); for (let i = 0; i < 1e5; i++); return a >= 0 && performance.now() >= a })()',
      true,
    ],
  ] as const) {
    add(name, async (bench) => {
      assert.deepEqual(await bench.value(`return ${expression}`, { features }), expected);
    });
  }

  add('two processes have different random numbers', async (bench) => {
    const code = 'return [crypto.randomUUID(), Math.random()]';
    const first = await bench.value(code, { features });
    assert.notDeepEqual(await bench.value(code, { features }), first);
  });
});

const seed = section('extension: seed', ['seed'], (add) => {
  const features = ['seed'];
  for (const [name, expression, needs] of [
    ['Math.random', 'Array.from({ length: 5 }, Math.random)', []],
    ['Date.now', '[Date.now(), Date.now(), new Date().getTime()]', []],
    ['crypto', '[crypto.randomUUID(), Array.from(crypto.getRandomValues(new Uint8Array(8)))]', ['web']],
  ] as const) {
    const options = { features: [...features, ...needs] };
    add(
      `the same seed makes ${name} the same`,
      async (bench) => {
        const run = () => bench.value(`return ${expression}`, { ...options, seed: 'one' });
        const first = await run();
        await new Promise((resolve) => setTimeout(resolve, 20));
        assert.deepEqual(await run(), first);
      },
      needs,
    );
  }

  add('another seed makes other numbers', async (bench) => {
    const run = (value: string) => bench.value('return Math.random()', { features, seed: value });
    assert.notEqual(await run('one'), await run('two'));
  });

  add('numbers of one run differ from each other', async (bench) => {
    const code = 'return new Set(Array.from({ length: 100 }, Math.random)).size';
    assert.equal(await bench.value(code, { features, seed: 'one' }), 100);
  });

  add('without a seed, runs differ', async (bench) => {
    const run = () => bench.value('return Math.random()', { features });
    assert.notEqual(await run(), await run());
  });

  add('the deadline is not stopped by a reproducible clock', async (bench) => {
    const options = { features, seed: 'one', limits: { timeoutMs: 200 } };
    assert.equal((await bench.error('for (;;) Date.now()', options)).kind, 'timeout');
  });
});

const without = section('extensions: not asked for', [], (add) => {
  const parts: [string, string][] = [
    ['console', 'typeof console'],
    ['timers', 'typeof setTimeout'],
    ['web', 'typeof URL'],
  ];
  for (const [feature, expression] of parts) {
    add(`without ${feature} a program finds nothing of it, whatever else is granted`, async (bench) => {
      const features = parts.map(([name]) => name).filter((name) => name !== feature);
      assert.equal(await bench.value(`return ${expression}`, { features }), 'undefined');
    });
  }
});

export const environmentExtensions = [timers, web, seed, without];
