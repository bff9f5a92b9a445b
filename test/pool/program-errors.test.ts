import assert from 'node:assert/strict';
import { createPool, type Pool, type RunErrorKind, type RunOptions } from 'wardenpool';

interface Case {
  what: string;
  code: string;
  kind: RunErrorKind;
  message?: RegExp;
  limits?: RunOptions['limits'];
}

const CASES: Case[] = [
  { what: 'an exception', code: 'null.x', kind: 'javascript', message: /null/ },
  { what: 'a syntax error', code: 'return (', kind: 'javascript' },
  { what: 'a thrown string', code: "throw 'x'", kind: 'javascript', message: /x/ },
  { what: 'a busy loop', code: 'for(;;){}', kind: 'timeout', limits: { timeoutMs: 50 } },
  { what: 'endless microtasks', code: 'while (true) await null', kind: 'timeout', limits: { timeoutMs: 50 } },
  { what: 'one long builtin', code: 'new Array(1e9) + ""', kind: 'timeout', limits: { timeoutMs: 50 } },
  {
    what: 'too much CPU time',
    code: 'for(;;){}',
    kind: 'timeout',
    limits: { cpuMs: 50, timeoutMs: 20_000 },
    message: /CPU/i,
  },
  {
    what: 'a program that never settles',
    code: 'await new Promise(() => {})',
    kind: 'javascript',
    message: /settle/,
  },
  {
    what: 'endless allocation',
    code: 'const a = []; for (;;) a.push(new Array(1e5).fill(1))',
    kind: 'memory',
  },
  { what: 'endless recursion', code: 'f(); function f() { f() }', kind: 'javascript', message: /stack/ },
  { what: 'a BigInt result', code: 'return { a: [1n] }', kind: 'result', message: /BigInt/ },
  { what: 'a large result', code: "return 'x'.repeat(1e6)", kind: 'result_limit' },
  { what: 'an empty program', code: ' \n', kind: 'javascript', message: /empty/ },
  {
    what: 'a program over its limit',
    code: `return 1 //${'x'.repeat(100)}`,
    kind: 'limit',
    limits: { maxCodeBytes: 100 },
  },
  {
    what: 'a program that no frame can hold',
    code: `return '${'\u0001'.repeat(10_000)}'`,
    kind: 'limit',
    limits: { maxFrameBytes: 20_000 },
    message: /maxFrameBytes/,
  },
];

describe('pool: what a program does wrong is data', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  for (const { what, code, kind, message, limits } of CASES) {
    it(`says ${kind} for ${what}`, async () => {
      const run = await pool.run(code, {}, { limits });
      assert.equal(run.ok, false);
      if (run.ok) return;
      assert.equal(run.error.kind, kind, run.error.message);
      if (message !== undefined) assert.match(run.error.message, message);
      assert.equal(run.receipt.state, 'complete');
      assert.equal(run.receipt.executionId, run.executionId);
    });
  }

  it('runs the next program well after every one of these', async () => {
    const runs = await Promise.all(CASES.map(() => pool.run('return 1')));
    assert.ok(runs.every((run) => run.ok && run.value === 1));
  });

  it('ends a busy program close to its limit', async () => {
    const { usage } = await pool.run('for(;;){}', {}, { limits: { timeoutMs: 100 } });
    assert.ok(usage.runMs >= 99 && usage.runMs < 2_000, `${usage.runMs} ms`);
  });

  it('gives the place of an error, with its source line', async () => {
    const run = await pool.run('const a = 1;\r\n\r\n  null.x;\r\n');
    assert.ok(!run.ok);
    assert.equal(run.error.name, 'TypeError');
    assert.equal(run.error.position?.line, 3);
    assert.equal(run.error.position?.sourceLine, '  null.x;');
  });

  it('gives the place in a result that cannot be sent', async () => {
    const run = await pool.run('return { items: [1, 2, { total: 1n }] };');
    assert.ok(!run.ok);
    assert.equal(run.error.path, '$.items[2].total');
  });

  it('says that the tool quota was exceeded, and keeps the calls before it', async () => {
    const run = await pool.run('for (;;) await tools.a()', { a: () => 1 }, { limits: { maxToolCalls: 2 } });
    assert.ok(!run.ok);
    assert.equal(run.error.kind, 'limit');
    assert.equal(run.error.code, 'TOOL_CALL_LIMIT_EXCEEDED');
    assert.deepEqual(
      run.toolCalls.map(({ id, outcome }) => ({ id, outcome })),
      [
        { id: 1, outcome: 'ok' },
        { id: 2, outcome: 'ok' },
      ],
    );
  });

  it('keeps the logs before a failure', async () => {
    const run = await pool.run("console.log('before'); console.error('x', 1); null.x");
    assert.deepEqual(
      run.logs.map(({ level, text }) => `${level}: ${text}`),
      ['log: before', 'error: x 1'],
    );
  });
});
