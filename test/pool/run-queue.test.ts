/** What becomes of a run when something on its way throws, which nothing does: the queue itself is given one. */
import assert from 'node:assert/strict';
import { DEFAULT_LIMITS } from '../../src/pool/limits.js';
import type { PoolRun } from '../../src/pool/pool-run.js';
import { RunQueue, type RunQueueListener } from '../../src/pool/run-queue.js';
import { deferred } from './deferred.js';

function runNamed(executionId: string): PoolRun {
  const settings = { limits: DEFAULT_LIMITS, priority: 0, labels: {}, language: 'auto', normalize: true };
  return { executionId, settings, isGivenUp: false, start() {} } as unknown as PoolRun;
}

describe('pool: a run whose way breaks', () => {
  it('is told so, and leaves its slot to the next', async () => {
    const told = deferred<string>();
    const next = deferred<string>();
    const listener: RunQueueListener = {
      execute: async (run) => {
        if (run.executionId === 'first') throw new Error('broken');
        return () => next.resolve(run.executionId);
      },
      onBroken: (run, error) => told.resolve(`${run.executionId}: ${String(error)}`),
      onAbort() {},
      onLate() {},
      onNeedsDrain() {},
      onDrain() {},
    };
    const options = {
      threads: 1,
      concurrency: 1,
      maxQueue: 10,
      queueTimeoutMs: undefined,
      memoryBudgetBytes: DEFAULT_LIMITS.memoryBytes,
      maxConcurrencyPerKey: 1,
    };
    const queue = new RunQueue(options, listener);
    queue.admit(runNamed('first'));
    queue.admit(runNamed('second'));
    assert.equal(await told.promise, 'first: Error: broken');
    assert.equal(await next.promise, 'second');
    await queue.drain();
    assert.equal(queue.running, 0);
  });
});
