import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createPool, type Pool, type ToolCall, type ToolContext, type ToolSet, tool } from 'wardenpool';
import { z } from 'zod';
import { deferred, gate } from './deferred.js';

/** Calls `tools.t(input)` and returns its result, or code and message of its error. */
const call = (input: string) =>
  `try { return await tools.t(${input}) } catch (error) { return [error.code, error.message] }`;
const never = () => new Promise<never>(() => {});

describe('pool: checks of tool calls', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  async function told(code: string, tools: ToolSet, options = {}) {
    const run = await pool.run(code, tools, options);
    assert.ok(run.ok, run.ok ? '' : run.error.message);
    const [record] = run.toolCalls;
    assert.ok(record);
    return { value: run.value, record, run };
  }

  describe('schemas', () => {
    const amount = {
      type: 'object',
      properties: { n: { type: 'number', default: 5 } },
      additionalProperties: false,
    };

    it('give the handler the output of the input schema, and the record what was sent', async () => {
      const seen: unknown[] = [];
      const t = tool({
        inputSchema: z.object({ n: z.number().transform(String), d: z.string().default('x') }),
        execute: (input) => seen.push(input),
      });
      const { record } = await told(call('{ n: 1 }'), { t });
      assert.deepEqual(seen, [{ n: '1', d: 'x' }]);
      assert.deepEqual(record.arguments, { n: 1 });
    });

    it('fill in the defaults of a JSON Schema', async () => {
      const t = { inputSchema: amount, execute: ({ n }: { n: number }) => n };
      assert.equal((await told(call('{}'), { t })).value, 5);
      assert.equal((await told(call(''), { t })).value, 5);
    });

    it('say TOOL_INPUT_INVALID, which field and why, and start no handler', async () => {
      const t = { inputSchema: amount, execute: () => assert.fail('started') };
      const { value, record } = await told(call("{ n: 'a', m: 1 }"), { t });
      const [code, message] = value as [string, string];
      assert.equal(code, 'TOOL_INPUT_INVALID');
      assert.match(message, /^The arguments do not fit the tool's schema: .*\$\.n: must be number/);
      assert.match(message, /\$\.m: is not a property of the schema/);
      assert.equal(record.outcome, 'invalid');
      assert.equal((record.error as Error).name, 'SchemaMismatch');
    });

    it('say the same of a Standard Schema that checks asynchronously', async () => {
      const inputSchema = z.object({ id: z.string().refine(async (id) => id === 'a', 'no such id') });
      const t = { inputSchema, execute: ({ id }: { id: string }) => id };
      assert.equal((await told(call("{ id: 'a' }"), { t })).value, 'a');
      assert.deepEqual((await told(call("{ id: 'b' }"), { t })).value, [
        'TOOL_INPUT_INVALID',
        "The arguments do not fit the tool's schema: $.id: no such id.",
      ]);
    });

    it('that throw are the host’s own failure, told to nobody', async () => {
      const error = new Error('password');
      const inputSchema = z.unknown().transform(() => {
        throw error;
      });
      const { value, record } = await told(call('{}'), { t: { inputSchema, execute: () => 1 } });
      assert.deepEqual(value, ['TOOL_FAILED', 'The tool failed.']);
      assert.equal(record.outcome, 'failed');
      assert.equal(record.error, error);
      const { value: second } = await told(call('{}'), {
        t: { outputSchema: inputSchema, execute: () => 1 },
      });
      assert.deepEqual(second, ['TOOL_FAILED', 'The tool failed.']);
    });

    it('give the program the output of the output schema', async () => {
      const outputSchema = z.object({ id: z.number(), at: z.date().transform((at) => at.getTime()) });
      const execute = () => ({ id: 1, at: new Date(5), secret: 'x' }) as never;
      const { value, record } = await told(call('{}'), { t: { outputSchema, execute } });
      assert.deepEqual(value, { id: 1, at: 5 });
      assert.deepEqual(record.result, { id: 1, at: 5 });
    });

    it('look at what JSON makes of a result, if they are JSON Schemas', async () => {
      const outputSchema = { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } };
      const { value } = await told(call('{}'), { t: { outputSchema, execute: () => ({ at: new Date(0) }) } });
      assert.deepEqual(value, { at: '1970-01-01T00:00:00.000Z' });
    });

    it('say TOOL_RESULT_INVALID of a result that does not fit', async () => {
      for (const outputSchema of [{ type: 'object', required: ['n'] }, z.object({ n: z.number() })]) {
        const { value, record } = await told(call('{}'), {
          t: { outputSchema, execute: async () => ({}) } as never,
        });
        const [code, message] = value as [string, string];
        assert.equal(code, 'TOOL_RESULT_INVALID');
        assert.match(message, /^The tool returned what does not fit its own schema: \$\.n: /);
        assert.equal(record.outcome, 'invalid');
      }
    });

    it('that never settle end with the run', async () => {
      const inputSchema = z.unknown().refine(never);
      const t = { inputSchema, execute: () => assert.fail('started') };
      // Long enough for the call to be made, on any machine.
      const run = await pool.run('await tools.t()', { t }, { limits: { timeoutMs: 1_000 } });
      assert.equal(run.ok ? '' : run.error.kind, 'timeout');
      assert.equal(run.toolCalls[0]?.outcome, 'abandoned');
    });

    it('that cannot be used are refused before anything runs', async () => {
      await assert.rejects(pool.run('1', { t: { inputSchema: { type: 'text' }, execute: () => 1 } }), {
        name: 'InvalidToolError',
        message: /^tools\["t"\]\.inputSchema is no JSON Schema: \/type/,
      });
    });
  });

  describe('authorize', () => {
    const t = { effect: 'write' as const, execute: () => 'done' };

    it('sees the call as the program sent it, and allows it', async () => {
      const seen: ToolCall[] = [];
      const authorize = async (call: ToolCall) => {
        seen.push(structuredClone(call));
        (call.arguments as { a: number }).a = 2;
        return 'allow' as const;
      };
      const echo = { effect: 'write', execute: (input: object) => input } as const;
      const { value, record } = await told(call('{ a: 1 }'), { t: echo }, { authorize });
      assert.deepEqual(value, { a: 1 });
      assert.equal(seen[0]?.argumentsDigest, record.argumentsDigest);
      assert.deepEqual(
        seen.map(({ argumentsDigest: _, ...rest }) => rest),
        [{ id: 1, name: 't', effect: 'write', arguments: { a: 1 } }],
      );
    });

    it('denies with a reason, which the program is told', async () => {
      for (const authorize of [() => ({ deny: 'not today' }), async () => ({ deny: 'not today' })]) {
        const { value, record } = await told(call('{}'), { t }, { authorize });
        assert.deepEqual(value, ['TOOL_DENIED', 'not today']);
        assert.equal(record.outcome, 'denied');
        assert.equal(record.error, undefined);
      }
    });

    const unclear: [string, () => unknown][] = [
      ['true', () => true],
      ['nothing', () => undefined],
      ['null', () => null],
      ["'deny'", () => 'deny'],
      ['a reason that is no text', () => ({ deny: 1 })],
      ['a promise of nothing', async () => undefined],
    ];
    for (const [what, authorize] of unclear) {
      it(`denies when it answers ${what}`, async () => {
        const { value, record } = await told(call('{}'), { t }, { authorize });
        assert.deepEqual(value, ['TOOL_DENIED', 'The call could not be authorized.']);
        assert.equal(record.outcome, 'denied');
        assert.match((record.error as Error).message, /it must answer 'allow' or \{ deny: reason \}/);
      });
    }

    it('denies when it throws or rejects, keeps the error, and warns', async () => {
      const error = new Error('database is down');
      const throwing = () => {
        throw error;
      };
      for (const authorize of [throwing, () => Promise.reject(error)]) {
        const warned = deferred<unknown>();
        pool.once('warning', ({ code, cause }) => warned.resolve([code, cause]));
        const { value, record } = await told(call('{}'), { t }, { authorize });
        assert.deepEqual(value, ['TOOL_DENIED', 'The call could not be authorized.']);
        assert.equal(record.error, error);
        assert.deepEqual(await warned.promise, ['CALLBACK_FAILED', error]);
      }
    });

    it('is asked after the input schema, and not about what does not fit', async () => {
      const inputSchema = { type: 'object', required: ['a'] };
      const authorize = () => assert.fail('asked');
      const { value } = await told(call('{}'), { t: { ...t, inputSchema } }, { authorize });
      assert.equal((value as string[])[0], 'TOOL_INPUT_INVALID');
    });

    it('has until the run ends; an answer after that starts nothing', async () => {
      const answered = deferred<'allow'>();
      const run = await pool.run(
        'await tools.t()',
        { t: { execute: () => assert.fail('started') } },
        // Long enough for the call to be made, on any machine.
        { authorize: () => answered.promise, limits: { timeoutMs: 1_000 } },
      );
      answered.resolve('allow');
      assert.equal(run.ok ? '' : run.error.kind, 'timeout');
      assert.equal(run.toolCalls[0]?.outcome, 'abandoned');
      await new Promise(setImmediate);
    });

    it('runs in the async context of run(), and so does the handler after it', async () => {
      const storage = new AsyncLocalStorage<string>();
      const seen: unknown[] = [];
      const see = () => seen.push(storage.getStore());
      await storage.run('mine', () =>
        pool.run(
          'await tools.t()',
          { t: { inputSchema: z.object({}).refine(async () => see()), execute: see } },
          {
            authorize: async () => {
              see();
              return 'allow' as const;
            },
          },
        ),
      );
      // zod may try twice.
      assert.ok(seen.length >= 3);
      assert.deepEqual(new Set(seen), new Set(['mine']));
    });
  });

  describe('mode inspect', () => {
    const tools = {
      get: { effect: 'read' as const, execute: () => 1 },
      put: { execute: () => assert.fail('written') },
      bare: () => assert.fail('written'),
    };

    it('leaves tools that read, and no others', async () => {
      const run = await pool.run('return [Object.keys(tools), await tools.get()]', tools, {
        mode: 'inspect',
      });
      assert.deepEqual(run.ok && run.value, [['get'], 1]);
      assert.deepEqual(run.warnings, []);
    });

    it('says why a tool was missing that writes', async () => {
      const run = await pool.run('return tools.put({})', tools, { mode: 'inspect' });
      assert.ok(!run.ok);
      assert.equal(run.error.kind, 'javascript');
      const message = 'With mode \'inspect\' a program has only tools that read, and not "put".';
      assert.ok(run.error.hint?.endsWith(message), run.error.hint);
      assert.deepEqual(run.warnings, [{ code: 'TOOL_EXCLUDED_IN_INSPECT', message }]);
    });

    it('says that a bare function counts as writing', async () => {
      const run = await pool.run('return tools.bare({})', tools, { mode: 'inspect' });
      assert.match(
        run.ok ? '' : String(run.error.hint),
        /and not "bare"\. A bare function counts as writing/,
      );
    });

    it('says nothing of tools that the program does not name', async () => {
      const run = await pool.run('const putter = 1; null.x', tools, { mode: 'inspect' });
      assert.deepEqual(run.warnings, []);
    });

    it('has all tools with apply, which is the default', async () => {
      const run = await pool.run('return Object.keys(tools)', tools, { mode: 'apply' });
      assert.deepEqual(run.ok && run.value, ['get', 'put', 'bare']);
    });
  });

  describe('quotas', () => {
    it('let a program call a tool maxCalls times, and it can catch the rest', async () => {
      let calls = 0;
      const code = `const seen = [];
        for (let i = 0; i < 4; i++) seen.push(await tools.t().catch((error) => error.code));
        return [...seen, await tools.free()]`;
      const { value, run } = await told(code, {
        t: { maxCalls: 2, execute: () => ++calls },
        free: () => 'free',
      });
      assert.deepEqual(value, [1, 2, 'TOOL_CALLS_EXCEEDED', 'TOOL_CALLS_EXCEEDED', 'free']);
      assert.deepEqual(
        run.toolCalls.map(({ outcome }) => outcome),
        ['ok', 'ok', 'denied', 'denied', 'ok'],
      );
      const { code: reason, message } = Object(run.toolCalls[2]?.error);
      assert.deepEqual(
        [reason, message],
        ['TOOL_CALLS_EXCEEDED', 'A program may call this tool 2 times, and has done so.'],
      );
    });

    it('count for each run anew, and hold for calls at once', async () => {
      const tools = { t: { maxCalls: 1, execute: async () => 1 } };
      const code =
        'return (await Promise.allSettled([tools.t(), tools.t(), tools.t()])).map(({ status }) => status)';
      for (let round = 0; round < 2; round++) {
        assert.deepEqual((await told(code, tools)).value, ['fulfilled', 'rejected', 'rejected']);
      }
    });

    it('of 0 forbid the tool', async () => {
      const { value } = await told(call('{}'), { t: { maxCalls: 0, execute: () => 1 } });
      assert.deepEqual(value, ['TOOL_CALLS_EXCEEDED', 'A program may not call this tool.']);
    });
  });

  describe('time limits', () => {
    it('answer TOOL_TIMEOUT, abort the signal, and leave the run alone', async () => {
      const aborted = deferred<unknown>();
      const execute = (_input: object, { signal }: ToolContext) => {
        signal.addEventListener('abort', () => aborted.resolve(signal.reason));
        return never();
      };
      const { value, record } = await told(call('{}'), { t: { timeoutMs: 20, execute } });
      assert.deepEqual(value, ['TOOL_TIMEOUT', 'The tool took longer than its 20 ms.']);
      assert.equal(record.outcome, 'timeout');
      assert.equal((record.error as Error).name, 'TimeoutError');
      assert.equal(((await aborted.promise) as Error).name, 'TimeoutError');
      assert.ok(record.ms >= 15);
    });

    it('drop what a handler returns or throws too late', async () => {
      const late = gate();
      const tools = {
        t: { timeoutMs: 10, execute: () => late.tool().then(() => Promise.reject(new Error('late'))) },
        wait: async () => {
          late.release();
          await new Promise(setImmediate);
        },
      };
      const code = `const first = await tools.t().catch((error) => error.code); await tools.wait(); return first`;
      const { value, record } = await told(code, tools);
      assert.equal(value, 'TOOL_TIMEOUT');
      assert.equal(record.outcome, 'timeout');
    });

    it('do not touch a handler that is in time', async () => {
      let signal: AbortSignal | undefined;
      const execute = async (_input: object, context: ToolContext) => {
        signal = context.signal;
        return 1;
      };
      assert.equal((await told(call('{}'), { t: { timeoutMs: 60_000, execute } })).value, 1);
      assert.equal(signal?.aborted, false);
    });

    it('do not run while authorize is being asked', async () => {
      const authorize = () => new Promise<'allow'>((resolve) => setTimeout(() => resolve('allow'), 60));
      const { value } = await told(
        call('{}'),
        { t: { timeoutMs: 40, execute: () => 'fast' } },
        { authorize },
      );
      assert.equal(value, 'fast');
    });
  });
});
