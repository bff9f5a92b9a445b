/**
 * Every run is counted once, by what became of it: what pool.stats and the registry say is held against what the callers
 * were told.
 */
import assert from 'node:assert/strict';
import { createPool, type Pool, PoolError, type PoolOptions } from 'wardenpool';
import { descendants, launchersOf, pidDepth, sandboxesOf } from '../support/processes.js';
import { limitResource } from '../support/resource-limit.js';
import { WorkerThreads } from '../support/worker-threads.js';
import { gate } from './deferred.js';
import { runsWithTurn } from './queue-waits.js';

const OUTCOME_OF_CODE: Record<string, string> = {
  ABORT_ERR: 'aborted',
  POOL_CLOSED: 'closed',
  QUEUE_FULL: 'queue_full',
  QUEUE_TIMEOUT: 'queue_timeout',
};

/** It has no calls: which of them its deadline met would be a matter of time. */
const LOOP = 'for (;;);';

/** By outcome, without those that there were none of. */
type Counts = Record<string, number>;

async function counted(pool: Pool, metric: string, label: string): Promise<Counts> {
  const found = await pool.registry.getSingleMetric(`wardenpool_${metric}`)?.get();
  assert.ok(found);
  const values = found.values.map(({ labels, value }) => [String((labels as Counts)[label]), value] as const);
  return Object.fromEntries(values.filter(([, value]) => value > 0));
}

function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

describe('pool: accounting', () => {
  it('adds up: what was told to callers, pool.stats, and the metrics', async () => {
    const pool = await createPool({ threads: 2, concurrency: 4, maxQueue: 40, queueTimeoutMs: 20_000 });
    const told: Counts = {};
    const calls: Counts = {};
    let got = 0;
    const run = async (...args: Parameters<Pool['run']>): Promise<void> => {
      try {
        const result = await pool.run(...args);
        const outcome = result.ok ? 'ok' : result.error.kind;
        told[outcome] = (told[outcome] ?? 0) + 1;
        got++;
        for (const call of result.toolCalls) calls[call.outcome] = (calls[call.outcome] ?? 0) + 1;
      } catch (error) {
        assert.ok(error instanceof PoolError, String(error));
        const outcome = OUTCOME_OF_CODE[error.code] ?? error.code;
        told[outcome] = (told[outcome] ?? 0) + 1;
        for (const call of error.toolCalls) calls[call.outcome] = (calls[call.outcome] ?? 0) + 1;
      }
    };
    const tools = { ok: () => 1, fails: () => Promise.reject(new Error('x')) };
    const programs = [
      'return tools.ok()',
      'throw new Error("x")',
      'await tools.fails()',
      LOOP,
      'for (;;) await tools.ok()',
      'return () => 1',
      'return',
    ];
    // 44 fit, 4 of them running; the others find the queue full.
    const runs = Array.from({ length: 50 }, (_, index) => {
      const code = programs[index % programs.length] ?? '';
      return run(code, tools, { limits: code === LOOP ? { timeoutMs: 100 } : { maxToolCalls: 3 } });
    });
    await Promise.all(runs);
    await pool.drain();

    const waiting = gate(4);
    const wait = { t: waiting.tool };
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = Array.from({ length: 6 }, () => run('await tools.t()', wait, { signal }));
    await waiting.entered;
    controller.abort();
    await Promise.all([...aborted, run('return 1', {}, { signal })]);
    await pool.drain();

    const last = gate(4);
    const closed = Array.from({ length: 6 }, () => run('await tools.t()', { t: last.tool }));
    await last.entered;
    await pool.destroy();
    await Promise.all(closed);

    const executions = await counted(pool, 'executions_total', 'outcome');
    assert.deepEqual(executions, told);
    assert.deepEqual(await counted(pool, 'tool_calls_total', 'outcome'), calls);
    assert.equal(total(told), 50 + 7 + 6);
    assert.equal(told['queue_full'], 6);
    assert.equal(told['aborted'], 7);
    assert.equal(told['closed'], 6);

    const { started, completed, failed, aborted: abortedRuns, rejected, forcedStops } = pool.stats;
    const { ok = 0, aborted: abortedCount = 0 } = told;
    assert.deepEqual(
      { completed, failed, aborted: abortedRuns, rejected },
      {
        completed: ok,
        failed: got - ok,
        aborted: abortedCount,
        rejected: total(told) - got - abortedCount,
      },
    );
    assert.equal(started, completed + failed + abortedRuns + rejected);
    assert.deepEqual(await counted(pool, 'executions_started_total', 'none'), { undefined: started });
    assert.equal(total(await counted(pool, 'forced_stops_total', 'reason')), forcedStops);
  });
});

type Counter = 'completed' | 'failed' | 'aborted' | 'rejected';

/** A way out that a run takes alone: `outcome` is what the metric says, none of a run that was never accepted. */
interface WayOut {
  what: string;
  outcome?: string;
  counter?: Counter;
  /** Whether it had a slot; default true. */
  hasSlot?: boolean;
  options?: PoolOptions;
  /** Does it, on a pool with one slot, until the run is over. */
  take(pool: Pool): Promise<unknown>;
}

/** A run whose handler was called and does not return, and then what ends it. */
async function ended(pool: Pool, end: () => unknown, signal?: AbortSignal): Promise<void> {
  const { tool, entered } = gate();
  const run = Promise.allSettled([pool.run('await tools.t()', { t: tool }, signal ? { signal } : {})]);
  await entered;
  await end();
  await run;
}

/** A run that is queued behind another, and then what ends it; the other is given back its slot, and completes. */
async function endedInQueue(pool: Pool, end: () => unknown, signal?: AbortSignal): Promise<void> {
  const { tool, entered, release } = gate();
  const first = pool.run('await tools.t()', { t: tool });
  await entered;
  const queued = Promise.allSettled([pool.run('return 1', {}, signal ? { signal } : {})]);
  await end();
  await queued;
  release();
  await first;
}

const program =
  (code: string, limits = {}) =>
  (pool: Pool) =>
    pool.run(code, {}, { limits });

const killAll = (pids: number[]): void => {
  assert.ok(pids.length > 0);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
};

const WAYS_OUT: readonly WayOut[] = [
  { what: 'a result', outcome: 'ok', counter: 'completed', take: program('return 1') },
  { what: 'an error of the program', outcome: 'javascript', counter: 'failed', take: program('throw 1') },
  { what: 'its deadline', outcome: 'timeout', counter: 'failed', take: program(LOOP, { timeoutMs: 100 }) },
  {
    what: 'the limit of its memory',
    outcome: 'memory',
    counter: 'failed',
    take: program('const all = []; for (;;) all.push(new Array(1e5).fill(1))'),
  },
  { what: 'a result that is none', outcome: 'result', counter: 'failed', take: program('return 1n') },
  {
    what: 'a result that is too large',
    outcome: 'result_limit',
    counter: 'failed',
    take: program("return 'x'.repeat(1e6)"),
  },
  {
    what: 'the loss of its sandbox',
    outcome: 'crashed',
    counter: 'failed',
    take: (pool) => ended(pool, () => killAll(sandboxesOf(process.pid))),
  },
  {
    what: 'the loss of its launcher',
    outcome: 'lost',
    counter: 'rejected',
    take: (pool) => ended(pool, () => killAll(launchersOf(process.pid))),
  },
  {
    what: 'the loss of its worker',
    outcome: 'lost',
    counter: 'rejected',
    async take(pool) {
      const threads = new WorkerThreads();
      const { threadId } = pool.stats.perThread[0] ?? assert.fail('the pool has no thread');
      await ended(pool, () => threads.evaluate(threadId, 'process.exit(3)')).finally(() => threads.close());
    },
  },
  {
    what: 'a sandbox that cannot be had',
    outcome: 'unavailable',
    counter: 'rejected',
    async take(pool) {
      const depth = pidDepth(process.pid) + 1;
      for (const pid of descendants(process.pid))
        if (pidDepth(pid) === depth) limitResource(pid, '--nproc=0:0');
      await assert.rejects(pool.run('return 1'), { code: 'SANDBOX_UNAVAILABLE' });
    },
  },
  {
    what: 'its signal, with a slot',
    outcome: 'aborted',
    counter: 'aborted',
    async take(pool) {
      const controller = new AbortController();
      await ended(pool, () => controller.abort(), controller.signal);
    },
  },
  {
    what: 'its signal, aborted before',
    outcome: 'aborted',
    counter: 'aborted',
    hasSlot: false,
    take: (pool) =>
      assert.rejects(pool.run('return 1', {}, { signal: AbortSignal.abort() }), { code: 'ABORT_ERR' }),
  },
  {
    what: 'close(), which does not wait longer',
    outcome: 'closed',
    counter: 'rejected',
    take: (pool) => ended(pool, () => pool.close({ timeoutMs: 1 })),
  },
  {
    what: 'destroy()',
    outcome: 'closed',
    counter: 'rejected',
    take: (pool) => ended(pool, () => pool.destroy()),
  },
  {
    what: 'arguments that are wrong',
    hasSlot: false,
    take: (pool) => assert.rejects(pool.run('return 1', {}, { limits: { timeoutMs: -1 } }), PoolError),
  },
  {
    what: 'a pool that is closed',
    hasSlot: false,
    async take(pool) {
      await pool.close();
      await assert.rejects(pool.run('return 1'), { code: 'POOL_CLOSED' });
    },
  },
];

/** The same for a run that never had a slot, as another had it, which completes. */
const WAYS_OUT_OF_THE_QUEUE: readonly WayOut[] = [
  {
    what: 'its signal',
    outcome: 'aborted',
    counter: 'aborted',
    async take(pool) {
      const controller = new AbortController();
      await endedInQueue(pool, () => controller.abort(), controller.signal);
    },
  },
  {
    what: 'the queue’s patience',
    outcome: 'queue_timeout',
    counter: 'rejected',
    options: { queueTimeoutMs: 30 },
    take: (pool) => endedInQueue(pool, () => {}),
  },
  {
    what: 'the queue’s length',
    outcome: 'queue_full',
    counter: 'rejected',
    options: { maxQueue: 0 },
    take: (pool) => endedInQueue(pool, () => {}),
  },
];

async function assertCounted({ outcome, counter, hasSlot = true, options, take }: WayOut, others: number) {
  // None warm: the only sandbox that there is, is the one of the run.
  const pool = await createPool({ threads: 1, concurrency: 1, warm: { min: 0, max: 0 }, ...options });
  try {
    await take(pool);
    await pool.drain();
    const { started, completed, failed, aborted, rejected, queued, running } = pool.stats;
    const expected = { completed: others, failed: 0, aborted: 0, rejected: 0, queued: 0, running: 0 };
    if (counter !== undefined) expected[counter]++;
    assert.deepEqual({ completed, failed, aborted, rejected, queued, running }, expected);
    assert.equal(started, others + (counter === undefined ? 0 : 1));
    const told = { ...(others > 0 && { ok: others }), ...(outcome !== undefined && { [outcome]: 1 }) };
    assert.deepEqual(await counted(pool, 'executions_total', 'outcome'), told);
    assert.equal(total(await counted(pool, 'executions_started_total', 'none')), started);
    assert.equal(await runsWithTurn(pool), others + (hasSlot ? 1 : 0));
  } finally {
    await pool.destroy();
  }
}

describe('pool: accounting counts once, in pool.stats and in the metrics, a run that ends by', () => {
  for (const way of WAYS_OUT) it(way.what, () => assertCounted(way, 0));
  for (const way of WAYS_OUT_OF_THE_QUEUE)
    it(`${way.what}, while it waits`, () => assertCounted({ ...way, hasSlot: false }, 1));
});
