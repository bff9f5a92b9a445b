import assert from 'node:assert/strict';
import { createPool, type Pool, ToolError, type ToolSet } from 'wardenpool';

const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value));

describe('pool: programs that call tools', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  async function value(code: string, tools: ToolSet): Promise<unknown> {
    const run = await pool.run(code, tools);
    assert.ok(run.ok, run.ok ? '' : run.error.message);
    return run.value;
  }

  it('await two tools in turn, the second with what the first gave', async () => {
    const order: string[] = [];
    const tools = {
      user: async () => {
        order.push('user');
        return later({ id: 7 });
      },
      orders: ({ user }: { user: number }) => {
        order.push('orders');
        return [user];
      },
    };
    const code = 'const user = await tools.user(); return tools.orders({ user: user.id })';
    assert.deepEqual(await value(code, tools), [7]);
    assert.deepEqual(order, ['user', 'orders']);
  });

  it('get ten results in the order of their calls, whatever the order of answers', async () => {
    const t = ({ i }: { i: number }) => new Promise((resolve) => setTimeout(resolve, (10 - i) * 3, i));
    const code = 'return Promise.all(Array.from({ length: 10 }, (_, i) => tools.t({ i })))';
    assert.deepEqual(await value(code, { t }), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('end at their limit when a tool never settles', async () => {
    const run = await pool.run(
      'await tools.t()',
      { t: () => new Promise(() => {}) },
      { limits: { timeoutMs: 50 } },
    );
    assert.equal(run.ok ? '' : run.error.kind, 'timeout');
  });

  it('catch a tool that rejects', async () => {
    const tools = { t: () => Promise.reject(new ToolError('no order 7', { code: 'NOT_FOUND' })) };
    const code =
      'try { await tools.t() } catch (error) { return [error instanceof Error, error.code, error.message] }';
    assert.deepEqual(await value(code, tools), [true, 'NOT_FOUND', 'no order 7']);
  });

  it('fail, with code, message and line, by a tool that rejects and is not caught', async () => {
    const tools = { t: () => Promise.reject(new ToolError('no order 7', { code: 'NOT_FOUND' })) };
    const run = await pool.run('const a = 1;\nawait tools.t();\nreturn a;', tools);
    assert.ok(!run.ok);
    assert.equal(run.error.kind, 'javascript');
    assert.match(run.error.message, /no order 7/);
    assert.equal(run.toolCalls[0]?.outcome, 'failed');
  });

  it('time out in the middle of a chain, and the next run is healthy', async () => {
    const tools = { fast: () => 1, slow: () => new Promise(() => {}) };
    const code = 'await tools.fast(); await tools.fast(); await tools.slow(); await tools.fast()';
    // Long enough for the two calls before, on any machine.
    const run = await pool.run(code, tools, { limits: { timeoutMs: 1_500 } });
    assert.equal(run.ok ? '' : run.error.kind, 'timeout');
    assert.deepEqual(
      run.toolCalls.map(({ name, outcome }) => `${name} ${outcome}`),
      ['fast ok', 'fast ok', 'slow abandoned'],
    );
    assert.equal(await value('return (await tools.fast()) + 1', tools), 2);
  });

  it('call tools of any name', async () => {
    const names = [
      'a-b',
      'a_b',
      'delete',
      '3d',
      'constructor',
      'github.list',
      'toString',
      '__proto__',
      'then',
      ' ',
      '日本',
    ];
    const tools: ToolSet = Object.fromEntries(names.map((name) => [name, () => name]));
    const code = `const seen = [];
      for (const name of Object.keys(tools)) seen.push(await tools[name]());
      return seen;`;
    assert.deepEqual(new Set((await value(code, tools)) as string[]), new Set(names));
  });

  it('go on after a call that was refused', async () => {
    const code = `const codes = [];
      for (const input of [1n, NaN]) codes.push(await tools.t({ input }).catch(({ name }) => name));
      return [...codes, await tools.t({ input: 1 })];`;
    const seen = (await value(code, { t: ({ input }: { input: number }) => input })) as unknown[];
    assert.equal(seen[2], 1);
  });

  it('get every code of a tool error as an ordinary Error', async () => {
    const tools: ToolSet = {
      input: { inputSchema: { type: 'object', required: ['a'] }, execute: () => 1 },
      result: () => Number.NaN,
      large: () => 'x'.repeat(2_000_000),
      late: { timeoutMs: 5, execute: () => new Promise(() => {}) },
      denied: () => 1,
      often: { maxCalls: 0, execute: () => 1 },
      failed: () => Promise.reject(new Error('secret')),
      own: () => Promise.reject(new ToolError('m', { code: 'MINE' })),
    };
    const run = await pool.run(
      `const seen = {};
       for (const name of Object.keys(tools)) {
         try { await tools[name]({}) } catch (error) { seen[name] = error instanceof Error && error.code }
       }
       return seen;`,
      tools,
      { authorize: ({ name }) => (name === 'denied' ? { deny: 'no' } : 'allow') },
    );
    assert.deepEqual(run.ok && run.value, {
      input: 'TOOL_INPUT_INVALID',
      result: 'TOOL_RESULT_INVALID',
      large: 'TOOL_RESULT_TOO_LARGE',
      late: 'TOOL_TIMEOUT',
      denied: 'TOOL_DENIED',
      often: 'TOOL_CALLS_EXCEEDED',
      failed: 'TOOL_FAILED',
      own: 'MINE',
    });
    assert.deepEqual(
      run.toolCalls.map(({ outcome }) => outcome),
      ['invalid', 'invalid', 'invalid', 'timeout', 'denied', 'denied', 'failed', 'failed'],
    );
  });

  it('send large arguments at once, and each is answered', async () => {
    const code = `const a = new Array(60_000).fill(1);
      return (await Promise.all(Array.from({ length: 6 }, (_, i) => tools.t({ a, i })))).join()`;
    const t = ({ a, i }: { a: number[]; i: number }) => a.length + i;
    assert.equal(await value(code, { t }), '60000,60001,60002,60003,60004,60005');
  });
});
