/** The section "Extensions" of code-bridge-v1: negotiation, and the features about calls, limits, values and errors. */
import assert from 'node:assert/strict';
import { FEATURES } from '../features.js';
import { type ExecuteMembers, section, type Tools } from '../suite.js';

const nothing: Tools = { t: () => null };

const negotiation = section('extensions: negotiation', [], (add) => {
  add('a peer that sends no features gets none', async (bench) => {
    const { frames } = await bench.run('return 1');
    assert.deepEqual(frames[0]?.features ?? [], []);
  });

  add('ready answers with the subset that this runner grants', async (bench) => {
    const { frames } = await bench.run('return 1', { features: [...FEATURES, 'no-such-feature', ''] });
    for (const feature of frames[0]?.features ?? []) {
      assert.ok((FEATURES as readonly string[]).includes(feature), `it grants ${feature}`);
    }
  });

  add('what was not asked for is not granted', async (bench) => {
    for (const feature of FEATURES) {
      const { frames } = await bench.run('return 1', { features: [feature] });
      assert.ok((frames[0]?.features ?? []).every((granted) => granted === feature));
    }
  });

  add('a feature may be asked for twice, and is granted once', async (bench) => {
    const { frames } = await bench.run('return 1', { features: [...FEATURES, ...FEATURES] });
    const granted = frames[0]?.features ?? [];
    assert.equal(new Set(granted).size, granted.length);
  });

  add('members of an extension that was not asked for are ignored', async (bench) => {
    const limits = { memoryBytes: 1, stackBytes: 'x', cpuMs: 1, maxLogBytes: -1, maxConcurrentToolCalls: 0 };
    assert.equal(await bench.value('return 1', { limits, seed: 7 }), 1);
  });

  add('with every feature that is granted, a program runs', async (bench) => {
    const code = 'return (await tools.t({ value: 1 })).value';
    assert.equal(await bench.value(code, { features: FEATURES, tools: { t: (input) => input } }), 1);
  });
});

const parallelTools = section('extension: parallel-tools', ['parallel-tools'], (add) => {
  const features = ['parallel-tools'];
  const callAll = (count: number): string =>
    `return Promise.all(Array.from({ length: ${count} }, (_, n) => tools.t({ n })))`;
  const many: ExecuteMembers = { tools: ['t'], features, limits: { maxToolCalls: 60 } };

  add('several calls are outstanding at once: Promise.all over tools is really parallel', async (bench) => {
    const conversation = bench.execute({ ...many, code: callAll(5) });
    await conversation.frame('tool.call', 4);
    for (let id = 1; id <= 5; id++) conversation.answer(id, id);
    assert.deepEqual((await conversation.ended()).terminal?.result, [1, 2, 3, 4, 5]);
  });

  add('results in any order', async (bench) => {
    const conversation = bench.execute({ ...many, code: callAll(5) });
    await conversation.frame('tool.call', 4);
    for (const id of [3, 5, 1, 2, 4]) conversation.answer(id, id);
    assert.deepEqual((await conversation.ended()).terminal?.result, [1, 2, 3, 4, 5]);
  });

  add('a program goes on with the result that comes first', async (bench) => {
    const code = 'return await Promise.race([tools.t({ n: 1 }), tools.t({ n: 2 })])';
    const conversation = bench.execute({ ...many, code });
    const second = await conversation.frame('tool.call', 1);
    assert.equal((await conversation.answer(second.id, 'second').ended()).terminal?.result, 'second');
  });

  for (const [name, limits, most] of [
    ['limits.maxConcurrentToolCalls, default 16', {}, 16],
    ['limits.maxConcurrentToolCalls: 2', { maxConcurrentToolCalls: 2 }, 2],
    ['limits.maxConcurrentToolCalls: 1', { maxConcurrentToolCalls: 1 }, 1],
  ] as const) {
    add(`${name}; more wait inside the runner, in order`, async (bench) => {
      const conversation = bench.execute({
        ...many,
        code: callAll(20),
        limits: { maxToolCalls: 60, ...limits },
      });
      // That no more are outstanding is checked with each call.
      await conversation.frame('tool.call', most - 1);
      await new Promise((resolve) => setTimeout(resolve, 60));
      for (let n = 0; n < 20; n++) {
        const call = await conversation.frame('tool.call', n);
        assert.deepEqual(call.arguments, { n });
        conversation.answer(call.id, n);
      }
      const { terminal } = await conversation.ended();
      assert.deepEqual(
        terminal?.result,
        Array.from({ length: 20 }, (_, n) => n),
      );
    });
  }

  add('the number of outstanding calls + 8 frames may be undelivered', async (bench) => {
    const code = `const calls = Array.from({ length: 16 }, (_, n) => tools.t({ n }));
      for (const end = Date.now() + 300; Date.now() < end; );
      return (await Promise.all(calls)).length`;
    const conversation = bench.execute({ ...many, code });
    await conversation.frame('tool.call', 15);
    for (let id = 1; id <= 16; id++) conversation.answer(id, 'x'.repeat(1000));
    assert.equal((await conversation.ended()).terminal?.result, 16);
  });

  add('the same result twice is a protocol failure', async (bench) => {
    const conversation = bench.execute({ ...many, code: callAll(3) });
    await conversation.frame('tool.call', 2);
    conversation.answer(2, null).answer(2, null);
    assert.equal((await conversation.ended()).terminal?.error?.kind, 'internal');
  });

  add('one failing call leaves the others as they are', async (bench) => {
    const code =
      'return (await Promise.allSettled([1, 2, 3].map((n) => tools.t({ n })))).map((s) => s.status)';
    const conversation = bench.execute({ ...many, code });
    await conversation.frame('tool.call', 2);
    conversation.answer(1, 1).fail(2, 'E', 'no').answer(3, 3);
    const { terminal } = await conversation.ended();
    assert.deepEqual(terminal?.result, ['fulfilled', 'rejected', 'fulfilled']);
  });
});

const limits = section('extension: limits', ['limits'], (add) => {
  const features = ['limits'];
  const all = {
    memoryBytes: 33_554_432,
    stackBytes: 500_000,
    cpuMs: 1000,
    maxLogBytes: 100,
    maxConcurrentToolCalls: 3,
  };

  add('effectiveLimits answers every limit key it received', async (bench) => {
    const { frames } = await bench.run('return 1', { features, limits: all });
    for (const [key, value] of Object.entries(all))
      assert.equal(frames[0]?.effectiveLimits?.[key], value, key);
  });

  add('effectiveLimits answers no key that it did not receive', async (bench) => {
    const { frames } = await bench.run('return 1', { features });
    const keys = Object.keys(frames[0]?.effectiveLimits ?? {}).sort();
    assert.deepEqual(keys, ['maxResultBytes', 'maxToolCalls', 'timeoutMs']);
  });

  add('effectiveLimits.memoryBytes is at most the ceiling of the command line', async (bench) => {
    const setup = { options: ['--memory-bytes', '16777216'] };
    const { frames } = await bench.run('return 1', { features, limits: { memoryBytes: 1e9 }, setup });
    assert.equal(frames[0]?.effectiveLimits?.['memoryBytes'], 16_777_216);
  });

  add('memoryBytes is a ceiling of the heap', async (bench) => {
    const code = 'const all = []; for (;;) all.push({})';
    assert.equal((await bench.error(code, { features, limits: { memoryBytes: 8_388_608 } })).kind, 'memory');
  });

  add('stackBytes is a ceiling of the stack', async (bench) => {
    const code = 'let depth = 0; const f = () => { depth++; f() }; try { f() } catch {} return depth';
    const small = Number(await bench.value(code, { features, limits: { stackBytes: 50_000 } }));
    const large = Number(await bench.value(code, { features }));
    assert.ok(small > 0 && small < large / 2, `${small} calls deep, ${large} without the limit`);
  });

  add('cpuMs is a ceiling of the CPU time of the program', async (bench) => {
    const error = await bench.error('for (;;);', { features, limits: { cpuMs: 100 } });
    assert.equal(error.kind, 'timeout');
  });

  add('cpuMs does not count waiting', async (bench) => {
    const tools: Tools = { t: () => new Promise((resolve) => setTimeout(() => resolve(null), 300)) };
    assert.equal(
      await bench.value('await tools.t(); return 1', { features, limits: { cpuMs: 150 }, tools }),
      1,
    );
  });

  for (const [key, value] of [
    ['memoryBytes', 0],
    ['memoryBytes', '1'],
    ['stackBytes', -1],
    ['cpuMs', 1.5],
    ['maxConcurrentToolCalls', null],
  ] as const) {
    add(
      `a limit that makes no sense is refused, and named: ${key}: ${JSON.stringify(value)}`,
      async (bench) => {
        const { exitCode, stderr } = await bench.execute({ features, limits: { [key]: value } }).ended();
        assert.equal(exitCode, 1);
        assert.ok(stderr.includes(key), `stderr does not name ${key}: ${stderr}`);
      },
    );
  }
});

const undefinedResult = section('extension: undefined', ['undefined'], (add) => {
  const features = ['undefined'];
  for (const code of ['await 1', 'return', 'return undefined', 'return Promise.resolve()']) {
    add(`an undefined result is sent without result: ${code}`, async (bench) => {
      const { ok, members } = await bench.terminal(code, { features });
      assert.deepEqual([ok, 'result' in members], [true, false]);
    });
  }

  add('null is still null', async (bench) => {
    const { members } = await bench.terminal('return null', { features });
    assert.equal(members['result'], null);
  });
});

const errors = section('extension: errors', ['errors'], (add) => {
  const features = ['errors'];

  add('error has name and stack', async (bench) => {
    const error = await bench.error('function inner() { null.x }\ninner()', { features });
    assert.equal(error.name, 'TypeError');
    assert.match(error.stack ?? '', /inner/);
  });

  add('error has the position in the submitted source: line', async (bench) => {
    for (const line of [1, 2, 7]) {
      const error = await bench.error(`${'\n'.repeat(line - 1)}null.x`, { features });
      assert.equal(error.position?.line, line);
    }
  });

  add('error has the position in the submitted source: column, from 1', async (bench) => {
    const error = await bench.error("  throw new Error('here')", { features });
    const column = error.position?.column ?? 0;
    assert.ok(column >= 3 && column <= 24, `the column is ${column}`);
  });

  add('a syntax error has its position too', async (bench) => {
    const error = await bench.error('const a = 1;\nconst b = ;\nreturn a', { features });
    assert.equal(error.name, 'SyntaxError');
    assert.equal(error.position?.line, 2);
  });

  add('the position of a failing call is that of the call', async (bench) => {
    const tools: Tools = {
      t: () => {
        throw new Error('no');
      },
    };
    const error = await bench.error('const a = 1;\nawait tools.t();\nreturn a', { features, tools });
    assert.equal(error.position?.line, 2);
  });

  add('the stack has frames of the guest only', async (bench) => {
    const code = '[1].map(function inner() { Promise.reject(1).catch(() => {}); throw new Error() })';
    const error = await bench.error(code, { features });
    assert.match(error.stack ?? '', /inner/);
    assert.doesNotMatch(error.stack ?? '', /\.c\b|\/home|\/usr|bootstrap|node:/);
  });

  add('what has no stack has none, and is no failure of the runner', async (bench) => {
    for (const code of [
      'throw 1',
      'throw null',
      "throw Object.assign(new Error('m'), { stack: { not: 'text' } })",
    ]) {
      assert.equal((await bench.error(code, { features })).kind, 'javascript');
    }
  });

  add('a name that is no string is no failure of the runner', async (bench) => {
    const code = "throw Object.defineProperty(new Error('m'), 'name', { get() { throw 1 } })";
    assert.equal((await bench.error(code, { features })).kind, 'javascript');
  });
});

const toolPaths = section('extension: tool-paths', ['tool-paths'], (add) => {
  const features = ['tool-paths'];
  const double: Tools = { 'math.double': ({ value }) => Number(value) * 2, 'a.b.c': () => 'deep' };

  add('dotted names work as paths', async (bench) => {
    const code = 'return [await tools.math.double({ value: 21 }), await tools.a.b.c()]';
    assert.deepEqual(await bench.value(code, { features, tools: double }), [42, 'deep']);
  });

  add('dotted names work verbatim as well', async (bench) => {
    const code = "return await tools['math.double']({ value: 21 })";
    assert.equal(await bench.value(code, { features, tools: double }), 42);
  });

  add('the call has the declared name', async (bench) => {
    const { frames } = await bench.run('await tools.math.double({ value: 1 }); return 1', {
      features,
      tools: double,
    });
    assert.equal(frames.find((frame) => frame.type === 'tool.call')?.name, 'math.double');
  });

  add('Object.keys(tools) is unchanged', async (bench) => {
    const code = 'return Object.keys(tools).sort()';
    assert.deepEqual(await bench.value(code, { features, tools: double }), ['a.b.c', 'math.double']);
  });

  add('only where that is unambiguous: a tool keeps its own name', async (bench) => {
    const tools: Tools = { math: () => 'tool', 'math.double': () => 'dotted' };
    const code = "return [typeof tools.math, await tools.math(), await tools['math.double']()]";
    assert.deepEqual(await bench.value(code, { features, tools }), ['function', 'tool', 'dotted']);
  });

  add('a path cannot be changed by a program', async (bench) => {
    const code = `try { tools.math.double = () => 0 } catch {} try { tools.math = {} } catch {}
      return await tools.math.double({ value: 2 })`;
    assert.equal(await bench.value(code, { features, tools: double }), 4);
  });

  add('names that are no paths are left alone', async (bench) => {
    const tools: Tools = {
      '.': () => 1,
      'a.': () => 2,
      '.b': () => 3,
      'a..b': () => 4,
      '__proto__.x': () => 5,
    };
    const code = 'return await Promise.all(Object.keys(tools).sort().map((name) => tools[name]()))';
    assert.deepEqual(await bench.value(code, { features, tools }), [1, 3, 5, 2, 4]);
  });

  add('not granted, there are no paths', async (bench) => {
    assert.equal(await bench.value('return typeof tools.math', { tools: double }), 'undefined');
  });
});

const consoleOutput = section('extension: console', ['console'], (add) => {
  const features = ['console'];

  add('log, info, warn, error and debug send a frame each, with level and text', async (bench) => {
    const code =
      "for (const level of ['log', 'info', 'warn', 'error', 'debug']) console[level]('to', level); return 1";
    const { frames } = await bench.run(code, { features });
    assert.deepEqual(
      frames.flatMap(({ type, level, text }) => (type === 'log' ? [[level, text]] : [])),
      ['log', 'info', 'warn', 'error', 'debug'].map((level) => [level, `to ${level}`]),
    );
  });

  for (const value of [
    'undefined',
    'null',
    '-0',
    '1n',
    'Symbol("s")',
    '() => 1',
    '[1, [2, [3, [4, [5]]]]]',
    '(() => { const a = {}; a.a = a; return a })()',
    '{ toString() { throw new Error() } }',
    '{ get a() { throw new Error() } }',
    'Object.create(null)',
    'new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } })',
    'new Proxy(() => {}, {})',
    'new Error("m")',
    'Object.defineProperty(new Error(), "stack", { get() { throw 1 } })',
    'new Map([[{}, new Set([1])]])',
    'Promise.reject(1).catch(() => {})',
    'new Uint8Array(10)',
    'new Date(NaN)',
    'globalThis',
  ]) {
    add(`formatting never throws, whatever the value: ${value}`, async (bench) => {
      const { terminal, frames } = await bench.run(`console.log(${value}); return 'after'`, { features });
      assert.equal(terminal?.result, 'after');
      assert.equal(frames.filter((frame) => frame.type === 'log').length, 1);
    });
  }

  add('output before a failure is kept, in order', async (bench) => {
    const { frames } = await bench.run("console.log('a'); console.log('b'); throw new Error()", { features });
    assert.deepEqual(
      frames.map(({ type, text }) => text ?? type),
      ['ready', 'a', 'b', 'execution.result'],
    );
  });

  add('output and calls are in the order of the program', async (bench) => {
    const code = "console.log('a'); await tools.t(); console.log('b'); return 1";
    const { frames } = await bench.run(code, { features, tools: nothing });
    assert.deepEqual(
      frames.map(({ type, text }) => text ?? type),
      ['ready', 'a', 'tool.call', 'b', 'execution.result'],
    );
  });

  add('bounded by limits.maxLogBytes, then one frame with truncated: true', async (bench) => {
    const code = "for (let i = 0; i < 100; i++) console.log('x'.repeat(30)); return 1";
    const { frames, terminal } = await bench.run(code, { features, limits: { maxLogBytes: 100 } });
    const logs = frames.filter((frame) => frame.type === 'log');
    const bytes = logs.reduce((sum, { text = '' }) => sum + Buffer.byteLength(text), 0);
    assert.ok(bytes <= 100, `${bytes} bytes were sent`);
    assert.equal(logs.filter((frame) => frame.truncated).length, 1);
    assert.equal(logs.at(-1)?.truncated, true);
    assert.equal(terminal?.result, 1);
  });

  add('a character is not cut in two by maxLogBytes', async (bench) => {
    for (const maxLogBytes of [1, 2, 3, 5, 6, 7]) {
      const { frames } = await bench.run("console.log('😀😀'); return 1", {
        features,
        limits: { maxLogBytes },
      });
      const text = frames.find((frame) => frame.type === 'log')?.text ?? '';
      assert.equal(text, '😀'.repeat(Math.floor(maxLogBytes / 4)));
    }
  });

  add('100 MB of output do not fail a program', async (bench) => {
    const code = "const text = 'x'.repeat(1e6); for (let i = 0; i < 100; i++) console.log(text); return 1";
    assert.equal(await bench.value(code, { features }), 1);
  });

  add('a line longer than a frame is cut, and no failure', async (bench) => {
    const setup = { options: ['--max-frame-bytes', '3000'] };
    const { terminal } = await bench.run("console.log('\\u0001'.repeat(5000)); return 1", {
      features,
      setup,
    });
    assert.equal(terminal?.result, 1);
  });
});

export const extensions = [
  negotiation,
  parallelTools,
  consoleOutput,
  limits,
  undefinedResult,
  errors,
  toolPaths,
];
