/**
 * Every run is counted once, by what became of it: what pool.stats and the registry say is held against what the callers
 * were told.
 */
import assert from 'node:assert/strict';
import { createPool, type Pool, PoolError } from '../../src/index.js';
import { gate } from './deferred.js';

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
    // Four of those that were aborted had a slot, and four of those that were closed.
    assert.equal(started, completed + failed + 4 + 4);
    assert.deepEqual(await counted(pool, 'executions_started_total', 'none'), { undefined: started });
    assert.equal(total(await counted(pool, 'forced_stops_total', 'reason')), forcedStops);
  });
});
