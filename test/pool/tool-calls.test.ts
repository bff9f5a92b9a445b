import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createPool, type Pool, type ToolContext, ToolError, type ToolSet } from 'wardenpool';
import { deferred, gate } from './deferred.js';

const CATCH =
  'try { return await tools.t({}) } catch ({ name, code, message }) { return { name, code, message } }';

describe('pool: tool calls', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 2 });
  });
  after(() => pool.close());

  async function value(code: string, tools: ToolSet): Promise<unknown> {
    const run = await pool.run(code, tools);
    assert.ok(run.ok, run.ok ? '' : run.error.message);
    return run.value;
  }

  it('records each call with its arguments, digest and result', async () => {
    const run = await pool.run('await tools.get({ b: 1, a: [true] }); await tools.put({})', {
      get: { effect: 'read', execute: () => ({ x: undefined, y: -0 }) },
      put: () => undefined,
    });
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    assert.deepEqual(
      run.toolCalls.map(({ ms, ...record }) => {
        assert.ok(ms >= 0 && ms < 10_000);
        return record;
      }),
      [
        {
          id: 1,
          name: 'get',
          effect: 'read',
          arguments: { b: 1, a: [true] },
          argumentsDigest: digest('{"a":[true],"b":1}'),
          outcome: 'ok',
          result: { y: 0 },
        },
        {
          id: 2,
          name: 'put',
          effect: 'write',
          arguments: {},
          argumentsDigest: digest('{}'),
          outcome: 'ok',
          result: null,
        },
      ],
    );
  });

  it('records what the program sent and got, whatever the handler does with it', async () => {
    const shared = { n: 1 };
    const run = await pool.run('return await tools.t({ a: 1 })', {
      t: (input: { a: number }) => {
        input.a = 2;
        return shared;
      },
    });
    shared.n = 2;
    assert.deepEqual(run.toolCalls[0]?.arguments, { a: 1 });
    assert.deepEqual(run.toolCalls[0]?.result, { n: 1 });
  });

  it('runs the calls of Promise.all in parallel', async () => {
    const { tool, entered, release } = gate(10);
    const running = value(`return (await Promise.all(Array.from({ length: 10 }, () => tools.t()))).length`, {
      t: tool,
    });
    await entered;
    release();
    assert.equal(await running, 10);
  });

  it('lets at most maxConcurrentToolCalls run at once', async () => {
    let open = 0;
    let most = 0;
    const run = await pool.run(
      'return (await Promise.all(Array.from({ length: 12 }, () => tools.t()))).length',
      {
        t: async () => {
          most = Math.max(most, ++open);
          await new Promise((resolve) => setTimeout(resolve, 2));
          open--;
        },
      },
      { limits: { maxConcurrentToolCalls: 3 } },
    );
    assert.equal(run.ok && run.value, 12);
    assert.equal(most, 3);
  });

  it('takes results of synchronous handlers, promises and other thenables', async () => {
    // biome-ignore lint/suspicious/noThenProperty: the case under test.
    const thenable = { then: (resolve: (value: number) => void) => resolve(3) };
    const tools = { a: () => 1, b: async () => 2, c: () => thenable };
    assert.deepEqual(await value('return Promise.all([tools.a(), tools.b(), tools.c()])', tools), [1, 2, 3]);
  });

  it('gives the program the code and message of a ToolError', async () => {
    const tools = {
      t: () => {
        throw new ToolError('no such order', { code: 'NOT_FOUND' });
      },
    };
    assert.deepEqual(await value(CATCH, tools), {
      name: 'Error',
      code: 'NOT_FOUND',
      message: 'no such order',
    });
  });

  it('gives the program nothing of any other error, and keeps it in the record', async () => {
    const error = new Error('password 1234');
    const run = await pool.run(CATCH, { t: () => Promise.reject(error) });
    assert.deepEqual(run.ok && run.value, {
      name: 'Error',
      code: 'TOOL_FAILED',
      message: 'The tool failed.',
    });
    assert.equal(run.toolCalls[0]?.outcome, 'failed');
    assert.equal(run.toolCalls[0]?.error, error);
  });

  it('gives the program the message of any error with exposeToolErrors', async () => {
    const open = await createPool({ threads: 1, exposeToolErrors: true });
    try {
      const run = await open.run(CATCH, { t: () => Promise.reject(new Error('x'.repeat(10_000))) });
      const { code, message } = (run.ok ? run.value : {}) as { code: string; message: string };
      assert.equal(code, 'TOOL_FAILED');
      assert.match(message, /^x{2000,}…$/);
    } finally {
      await open.close();
    }
  });

  it('says TOOL_RESULT_INVALID, and where, for what JSON cannot carry', async () => {
    const run = await pool.run(CATCH, { t: () => ({ items: [{ total: Number.NaN }] }) });
    const { code, message } = (run.ok ? run.value : {}) as { code: string; message: string };
    assert.equal(code, 'TOOL_RESULT_INVALID');
    assert.match(message, /\$\.items\[0\]\.total is NaN/);
    assert.equal(run.toolCalls[0]?.outcome, 'invalid');
  });

  it('says TOOL_RESULT_TOO_LARGE for what no frame can hold', async () => {
    const run = await pool.run(CATCH, { t: () => 'x'.repeat(1_100_000) });
    assert.equal(((run.ok ? run.value : {}) as { code: string }).code, 'TOOL_RESULT_TOO_LARGE');
    assert.equal(run.toolCalls[0]?.outcome, 'invalid');
  });

  it('passes large arguments and results through', async () => {
    const code = `const s = 'é'.repeat(200_000); return (await tools.t({ s })).s === s;`;
    assert.equal(await value(code, { t: (input: object) => input }), true);
  });

  it('fails the run for a tool error that nobody catches', async () => {
    const run = await pool.run('await tools.t()', {
      t: () => Promise.reject(new ToolError('no', { code: 'NO' })),
    });
    assert.ok(!run.ok);
    assert.equal(run.error.kind, 'javascript');
    assert.match(run.error.message, /no/);
  });

  it('tells a handler about its call', async () => {
    let seen: ToolContext | undefined;
    const options = { executionId: 'e-1', key: 'tenant', labels: { a: 'b' } };
    const t = (_input: object, context: ToolContext) => {
      seen = context;
    };
    await pool.run('await tools.t()', { t }, options);
    assert.ok(seen);
    const { executionId, callId, toolName, key, labels, idempotencyKey, signal } = seen;
    assert.deepEqual(
      { executionId, callId, toolName, key, labels, idempotencyKey },
      { ...options, callId: 1, toolName: 't', idempotencyKey: 'e-1/1' },
    );
    assert.equal(signal.aborted, false);
  });

  it('abandons a call that the program did not await', async () => {
    const aborted = deferred<unknown>();
    const entered = deferred();
    const t = (_input: object, { signal }: ToolContext) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason));
      entered.resolve();
      return new Promise(() => {});
    };
    const run = await pool.run('tools.t({ n: 1 }); await tools.wait(); return 1', {
      t,
      wait: () => entered.promise,
    });
    assert.equal(run.ok && run.value, 1);
    assert.deepEqual(
      run.toolCalls.map(({ name, outcome }) => `${name} ${outcome}`),
      ['t abandoned', 'wait ok'],
    );
    assert.deepEqual(
      run.warnings.map(({ code }) => code),
      ['TOOL_CALL_NOT_AWAITED'],
    );
    assert.equal(((await aborted.promise) as Error).name, 'AbortError');
  });

  for (const [calls, end, ok] of [
    ['that were answered while it was busy, and those that were never made', 'return 1', true],
    ['if it failed, too', "throw new Error('x')", false],
  ] as const) {
    it(`warns of calls that the program did not await: ${calls}`, async () => {
      const code = `for (let i = 0; i < 5; i++) tools.t({ i });
        for (const end = Date.now() + 300; Date.now() < end; );
        ${end}`;
      const run = await pool.run(code, { t: () => 1 }, { limits: { maxConcurrentToolCalls: 2 } });
      assert.equal(run.ok, ok);
      assert.equal(run.toolCalls.length, 2);
      assert.deepEqual(
        run.warnings.map((warning) => warning.code),
        ['TOOL_CALL_NOT_AWAITED'],
      );
    });
  }

  it('has a record of a call that was made in the last moment', async () => {
    for (let round = 0; round < 20; round++) {
      const run = await pool.run('tools.t({}); return 1', { t: () => 1 });
      assert.equal(run.toolCalls.length, 1);
      assert.equal(run.usage.toolCalls, 1);
    }
  });

  it('abandons calls without a warning when the deadline comes', async () => {
    const run = await pool.run(
      'await tools.t()',
      { t: () => new Promise(() => {}) },
      // Long enough for the call to be made, on any machine.
      { limits: { timeoutMs: 1_000 } },
    );
    assert.ok(!run.ok);
    assert.equal(run.error.kind, 'timeout');
    assert.equal(run.toolCalls[0]?.outcome, 'abandoned');
    assert.deepEqual(run.warnings, []);
  });

  it('calls onToolCall with each record', async () => {
    const seen: string[] = [];
    await pool.run(
      'await tools.a(); await tools.b().catch(() => 1)',
      { a: () => 1, b: () => Promise.reject(new Error('x')) },
      { onToolCall: ({ name, outcome }) => seen.push(`${name} ${outcome}`) },
    );
    assert.deepEqual(seen, ['a ok', 'b failed']);
  });

  it('warns about a callback that throws, and goes on', async () => {
    const warned = deferred<string>();
    pool.once('warning', ({ code }) => warned.resolve(code));
    const run = await pool.run(
      'await tools.a()',
      { a: () => 1 },
      {
        onToolCall: () => {
          throw new Error('callback');
        },
      },
    );
    assert.ok(run.ok);
    assert.equal(await warned.promise, 'CALLBACK_FAILED');
  });

  const throwing = () => {
    throw new Error('looked at');
  };
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const unclassifiable = new Proxy({}, { getPrototypeOf: throwing });
  const awkward: Record<string, () => unknown> = {
    'returns an object whose then throws': () => Object.defineProperty({}, 'then', { get: throwing }),
    'returns a revoked proxy': revoked,
    'returns a promise whose constructor throws': () =>
      Object.defineProperty(Promise.resolve(1), 'constructor', { get: throwing }),
    'throws what cannot be classified': () => {
      throw unclassifiable;
    },
    'rejects with what cannot be classified': () => Promise.reject(unclassifiable),
    'throws null': () => {
      throw null;
    },
    'throws a ToolError whose message throws': () => {
      throw Object.defineProperty(new ToolError('m'), 'message', { get: throwing });
    },
    'throws a ToolError whose code is no text': () => {
      throw Object.assign(new ToolError('m'), { code: Object.create(null) });
    },
  };
  for (const [what, handler] of Object.entries(awkward)) {
    it(`answers the program when a handler ${what}`, async () => {
      const code = 'try { await tools.t() } catch (error) { return error.code }';
      const run = await pool.run(code, { t: handler });
      assert.ok(run.ok, JSON.stringify(run));
      assert.match(String(run.value), /^TOOL_(FAILED|RESULT_INVALID|RESULT_TOO_LARGE)$/);
    });
  }

  it('keeps records that read, copy and compare like plain data', async () => {
    const run = await pool.run('return tools.t({ a: [1] })', { t: () => ({ b: 2 }) });
    const [record] = run.toolCalls;
    assert.ok(record);
    assert.deepEqual(JSON.parse(JSON.stringify(record)).arguments, { a: [1] });
    assert.deepEqual({ ...record }.result, { b: 2 });
    assert.equal(record.arguments, record.arguments);
    assert.deepEqual(structuredClone(record).arguments, { a: [1] });
  });
});
