/** The section "Errors" of code-bridge-v1, from a runner's side. */
import assert from 'node:assert/strict';
import { encodeFrame, VERSION } from '../../wire/frames.js';
import { section, type Tools } from '../suite.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const nothing: Tools = { t: () => null };

const kinds = section('errors: kinds', [], (add) => {
  for (const [name, code] of [
    ['an Error', "throw new Error('went wrong')"],
    ['a string', "throw 'went wrong'"],
    ['an object', "throw { message: 'went wrong' }"],
  ] as const) {
    add(`javascript: ${name} that is thrown, with its message`, async (bench) => {
      const { kind, message } = await bench.error(code);
      assert.equal(kind, 'javascript');
      assert.match(message, /went wrong/);
    });
  }

  for (const [name, code] of [
    ['null that is thrown', 'throw null'],
    ['undefined that is thrown', 'throw undefined'],
    ['a symbol that is thrown', "throw Symbol('s')"],
    [
      'an error whose message throws',
      "throw Object.defineProperty(new Error(), 'message', { get() { throw 1 } })",
    ],
    [
      'a proxy that throws at everything',
      'throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })',
    ],
    ['a syntax error', 'return )'],
    ['a program that opens a function and does not close it', 'function f() {'],
    ['too much recursion', 'const f = () => f() + 1; return f()'],
    ['a rejected promise that is returned', 'return Promise.reject(new Error())'],
    ['an uncaught error of a job', 'await null; null.x'],
  ] as const) {
    add(`javascript: ${name}`, async (bench) => {
      assert.equal((await bench.error(code)).kind, 'javascript');
    });
  }

  add('timeout: the deadline', async (bench) => {
    assert.equal((await bench.error('for (;;);', { limits: { timeoutMs: 100 } })).kind, 'timeout');
  });

  for (const [name, code] of [
    ['a function', 'return () => 1'],
    ['a BigInt', 'return { a: [1n] }'],
    ['a symbol', 'return Symbol()'],
    ['a cycle', 'const a = []; a.push(a); return a'],
    ['NaN', 'return NaN'],
    ['Infinity in an array', 'return [Infinity]'],
  ] as const) {
    add(`result: a value that JSON does not have: ${name}`, async (bench) => {
      assert.equal((await bench.error(code)).kind, 'result');
    });
  }

  add('result_limit: a result over maxResultBytes', async (bench) => {
    const limits = { maxResultBytes: 100 };
    assert.equal((await bench.error("return 'x'.repeat(99)", { limits })).kind, 'result_limit');
    assert.equal(await bench.value("return 'x'.repeat(98)", { limits }), 'x'.repeat(98));
  });

  add('result_limit: maxResultBytes counts the bytes of the JSON text', async (bench) => {
    const limits = { maxResultBytes: 100 };
    assert.equal((await bench.error("return 'é'.repeat(50)", { limits })).kind, 'result_limit');
    assert.equal(await bench.value("return 'é'.repeat(49)", { limits }), 'é'.repeat(49));
  });

  add('memory: the heap ceiling', async (bench) => {
    const setup = { options: ['--memory-bytes', '8388608'] };
    const code = 'const all = []; for (;;) all.push(new Array(1000).fill(1))';
    assert.equal((await bench.error(code, { setup })).kind, 'memory');
  });

  for (const maxToolCalls of [0, 1, 3]) {
    add(
      `limit: code, limit and attempted, and the call over the limit is never sent: ${maxToolCalls}`,
      async (bench) => {
        const code = 'for (let i = 0; i < 9; i++) { try { await tools.t() } catch {} } return 1';
        const { terminal, frames } = await bench.run(code, { limits: { maxToolCalls }, tools: nothing });
        const { kind, code: errorCode, limit, attempted } = terminal?.error ?? {};
        assert.deepEqual(
          [kind, errorCode, limit, attempted],
          ['limit', 'TOOL_CALL_LIMIT_EXCEEDED', maxToolCalls, maxToolCalls + 1],
        );
        assert.equal(frames.filter((frame) => frame.type === 'tool.call').length, maxToolCalls);
      },
    );
  }

  add('limit: calls that wait for their turn count', async (bench) => {
    const conversation = bench.execute({
      code: 'for (let i = 0; i < 5; i++) tools.t().catch(() => {}); await null; return 1',
      tools: ['t'],
      limits: { maxToolCalls: 3 },
    });
    assert.equal((await conversation.ended()).terminal?.error?.kind, 'limit');
  });

  add('as many calls as the quota allows are no failure', async (bench) => {
    const code = 'for (let i = 0; i < 3; i++) await tools.t(); return 1';
    assert.equal(await bench.value(code, { limits: { maxToolCalls: 3 }, tools: nothing }), 1);
  });
});

const precedence = section('errors: precedence when several apply', [], (add) => {
  const busyFor = (ms: number): string => `for (const end = Date.now() + ${ms}; Date.now() < end; );`;
  const result = (ok: boolean): Record<string, unknown> =>
    ok ? { ok, result: null } : { ok, error: { code: 'C', message: 'm' } };
  const answerWith = (id: number | undefined, ok: boolean, then: string | Buffer): Buffer =>
    Buffer.concat([
      encodeFrame({ version: VERSION, type: 'tool.result', id, ...result(ok) }),
      Buffer.from(then),
    ]);
  const cancelFrame = encodeFrame({ version: VERSION, type: 'cancel', executionId: 'e-1' });

  for (const [kind, then] of [
    ['cancelled', cancelFrame],
    ['internal', 'no frame\n'],
  ] as const) {
    for (const [name, ending] of [
      ['javascript', "throw new Error('late')"],
      ['result', 'return 1n'],
      ['result_limit', "return 'x'.repeat(200000)"],
      ['success', 'return 1'],
    ] as const) {
      add(`${kind} comes before ${name}`, async (bench) => {
        const code = `try { await tools.t() } catch {} ${busyFor(1000)} ${ending}`;
        const conversation = bench.execute({ code, tools: ['t'] });
        const { id } = await conversation.frame('tool.call');
        conversation.answered(id).write(answerWith(id, false, then));
        assert.equal((await conversation.ended()).terminal?.error?.kind, kind);
      });
    }
  }

  add('cancelled comes before internal', async (bench) => {
    const conversation = bench.execute({ code: 'await tools.t()', tools: ['t'] });
    await conversation.frame('tool.call');
    conversation.write(Buffer.concat([cancelFrame, Buffer.from('no frame\n')]));
    assert.equal((await conversation.ended()).terminal?.error?.kind, 'cancelled');
  });

  add('cancelled comes before timeout', async (bench) => {
    // The process stands still until both have happened.
    const conversation = bench.execute({ code: 'for (;;);', limits: { timeoutMs: 2000 } });
    await conversation.frame('ready');
    conversation.signal('SIGSTOP');
    await pause(2200);
    conversation.signal('SIGTERM').signal('SIGCONT');
    assert.equal((await conversation.ended()).terminal?.error?.kind, 'cancelled');
  });

  add('limit comes before javascript', async (bench) => {
    const code = "try { tools.t().catch(() => {}); } finally { throw new Error('late') }";
    const error = await bench.error(code, { limits: { maxToolCalls: 0 }, tools: nothing });
    assert.equal(error.kind, 'limit');
  });

  add('limit comes before result', async (bench) => {
    const code = 'tools.t().catch(() => {}); return 1n';
    assert.equal((await bench.error(code, { limits: { maxToolCalls: 0 }, tools: nothing })).kind, 'limit');
  });

  add('result comes before result_limit', async (bench) => {
    const error = await bench.error("return [1n, 'x'.repeat(500)]", { limits: { maxResultBytes: 100 } });
    assert.equal(error.kind, 'result');
  });
});

const catchable = section('errors: what a program can catch', [], (add) => {
  add(
    'tool.result with ok: false: an ordinary rejection carrying the host’s code and message',
    async (bench) => {
      const code = `try { await tools.t() } catch (error) {
      return [error instanceof Error, error.code, error.message]
    }`;
      const tools: Tools = {
        t: () => {
          throw Object.assign(new Error('no such bucket: é😀'), { code: 'E_BUCKET' });
        },
      };
      assert.deepEqual(await bench.value(code, { tools }), [true, 'E_BUCKET', 'no such bucket: é😀']);
    },
  );

  add(
    'tool.result with ok: false that is not caught: kind javascript, with the host’s message',
    async (bench) => {
      const tools: Tools = {
        t: () => {
          throw new Error('no such bucket');
        },
      };
      const { kind, message } = await bench.error('await tools.t()', { tools });
      assert.equal(kind, 'javascript');
      assert.match(message, /no such bucket/);
    },
  );

  add('undeclared tool: the binding is undefined, and no frame is sent', async (bench) => {
    const code = `try { await tools.missing({}) } catch (error) {
      return [typeof tools.missing, 'missing' in tools, error instanceof TypeError]
    }`;
    assert.deepEqual(await bench.value(code, { tools: nothing }), ['undefined', false, true]);
  });

  for (const argument of [
    'null',
    '1',
    "'text'",
    'true',
    '[]',
    '() => 1',
    'Symbol()',
    '1n',
    '{ a: 1n }',
    '{ a: { b: [NaN] } }',
    '(() => { const a = {}; a.a = a; return a })()',
    '{ get a() { throw new Error() } }',
    'new Proxy({}, { ownKeys() { throw new Error() } })',
  ]) {
    add(
      `arguments that are not a plain JSON object: catchable, and no frame is sent: ${argument}`,
      async (bench) => {
        const code = `try { await tools.t(${argument}) } catch { return 'caught' }`;
        const { terminal, frames } = await bench.run(code, { tools: nothing });
        assert.equal(terminal?.result, 'caught');
        assert.deepEqual(
          frames.map((frame) => frame.type),
          ['ready', 'execution.result'],
        );
      },
    );
  }

  for (const [name, code, limits, kind] of [
    [
      'tool quota',
      'for (;;) { try { await tools.t() } catch {} finally { continue } }',
      { maxToolCalls: 2 },
      'limit',
    ],
    [
      'tool quota, of a call that is not awaited',
      "tools.t().catch(() => {}); return 'fine'",
      { maxToolCalls: 0 },
      'limit',
    ],
    [
      'deadline',
      'for (;;) { try { for (;;); } catch {} finally { continue } }',
      { timeoutMs: 150 },
      'timeout',
    ],
    ['result too large', "return 'x'.repeat(100)", { maxResultBytes: 50 }, 'result_limit'],
    [
      'result too large, by a toJSON that catches',
      "return { toJSON() { try { return 'x'.repeat(100) } catch { return 1 } } }",
      { maxResultBytes: 50 },
      'result_limit',
    ],
  ] as const) {
    add(`not catchable: ${name}`, async (bench) => {
      assert.equal((await bench.error(code, { limits, tools: nothing })).kind, kind);
    });
  }

  const loop = 'for (;;) { try { await tools.t(); for (;;); } catch {} finally { continue } }';
  for (const [name, bytes, kind] of [
    ['cancel', encodeFrame({ version: VERSION, type: 'cancel', executionId: 'e-1' }), 'cancelled'],
    ['protocol failure', Buffer.from('[]\n'), 'internal'],
  ] as const) {
    add(`not catchable: ${name}, in busy code`, async (bench) => {
      const conversation = bench.execute({ code: loop, tools: ['t'] });
      const { id } = await conversation.frame('tool.call');
      conversation.answer(id, null);
      await pause(30);
      assert.equal((await conversation.write(bytes).ended()).terminal?.error?.kind, kind);
    });
  }

  add('heap ceiling: catching never raises it', async (bench) => {
    const code = `let most = 0;
      for (let round = 0; round < 5; round++) {
        const all = [];
        try { for (;;) { all.push(new Uint8Array(262144)); if (all.length > most) most = all.length } } catch {}
      }
      return most`;
    const { ok, result, error } = await bench.terminal(code, {
      setup: { options: ['--memory-bytes', '8388608'] },
    });
    if (ok) assert.ok(Number(result) <= 32, `${result} blocks of 256 KiB were given`);
    else assert.equal(error?.kind, 'memory');
  });

  add('stack ceiling: catching never raises it', async (bench) => {
    const code = `const depths = [];
      for (let round = 0; round < 4; round++) {
        let depth = 0; const f = () => { depth++; f() };
        try { f() } catch {}
        depths.push(depth);
      }
      return Math.max(...depths) <= depths[0] * 1.5`;
    const { ok, result, error } = await bench.terminal(code);
    if (ok) assert.equal(result, true);
    else assert.equal(error?.kind, 'javascript');
  });

  for (const code of [
    "throw new Error('out of memory')",
    "class InternalError extends Error { name = 'InternalError' } throw new InternalError('out of memory')",
    "const e = new Error('out of memory'); e.name = 'InternalError'; throw e",
    "throw { kind: 'memory', message: 'out of memory' }",
    "throw new RangeError('Invalid array buffer length: out of memory')",
    "throw 'out of memory'",
    'throw null',
  ]) {
    add(`the kind memory must not be forgeable by program text: ${code}`, async (bench) => {
      assert.equal((await bench.error(code)).kind, 'javascript');
    });
  }

  for (const kind of ['timeout', 'cancelled', 'limit', 'internal', 'result']) {
    add(`no other kind is forgeable by program text either: ${kind}`, async (bench) => {
      const code = `throw Object.assign(new Error('${kind}'), { kind: '${kind}', code: 'TOOL_CALL_LIMIT_EXCEEDED' })`;
      assert.equal((await bench.error(code)).kind, 'javascript');
    });
  }
});

const fitting = section('errors: a terminal frame always fits', [], (add) => {
  const setup = { options: ['--max-frame-bytes', '2000'] };

  for (const [name, code] of [
    ['a message of a million characters', "throw new Error('x'.repeat(1e6))"],
    ['a message that is longer when escaped', "throw new Error('\\u0001'.repeat(1e5))"],
    ['a message of characters of 4 bytes', "throw new Error('😀'.repeat(1e5))"],
    ['a message of lone surrogates', "throw new Error('\\ud800'.repeat(1e5))"],
    ['a name of a million characters', "const e = new Error('m'); e.name = 'n'.repeat(1e6); throw e"],
    ['a stack of a million characters', "const e = new Error('m'); e.stack = 's'.repeat(1e6); throw e"],
    ['a string of a million characters', "throw 'x'.repeat(1e6)"],
    ['an object with a million characters', "throw { text: 'x'.repeat(1e6) }"],
  ] as const) {
    add(`messages and stacks are bounded: ${name}`, async (bench) => {
      const terminal = await bench.terminal(code, { setup, features: ['errors'] });
      assert.equal(terminal.error?.kind, 'javascript');
    });
  }

  add('a result that would not fit the frame limit is result_limit, never silence', async (bench) => {
    assert.equal((await bench.error("return 'x'.repeat(1999)", { setup })).kind, 'result_limit');
  });

  add('whatever its length, a result arrives whole or is result_limit', async (bench) => {
    for (let length = 1700; length <= 2000; length += 50) {
      const { ok, result, error } = await bench.terminal(`return 'x'.repeat(${length})`, { setup });
      if (ok) assert.equal(result, 'x'.repeat(length));
      else assert.equal(error?.kind, 'result_limit');
    }
  });
});

export const errors = [kinds, precedence, catchable, fitting];
