/** The queue by itself, with runs that do what they are told: nothing is lost, and no bound is passed, whatever happens in which order. */
import assert from 'node:assert/strict';
import { setImmediate as settled } from 'node:timers/promises';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../src/pool/limits.js';
import type { PoolRun } from '../../src/pool/pool-run.js';
import { RunQueue, type RunQueueListener } from '../../src/pool/run-queue.js';
import { parameters } from '../properties/parameters.js';
import { type Deferred, deferred } from './deferred.js';

interface Wish {
  key?: string | undefined;
  priority?: number;
  memoryBytes?: number;
}

function runNamed(
  executionId: string,
  { key, priority = 0, memoryBytes = DEFAULT_LIMITS.memoryBytes }: Wish = {},
  start: (onWait: () => void) => void = () => {},
): PoolRun {
  const limits = { ...DEFAULT_LIMITS, memoryBytes };
  const settings = { limits, priority, key, labels: {}, language: 'auto', normalize: true };
  return { executionId, settings, start } as unknown as PoolRun;
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

/** A run that has a slot. */
interface Running {
  readonly run: PoolRun;
  readonly over: Deferred;
  onWait(): void;
}

const key = fc.constantFrom(undefined, 'a', 'b', 'c');
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('admit' as const),
      key,
      priority: fc.constantFrom(0, 0, 1),
      memoryBytes: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait for a tool' as const), index: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('end' as const), index: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('leave' as const), index: fc.nat(40) }) },
);

describe('pool: the queue by itself', () => {
  it('loses no run, passes no bound, and leaves nobody waiting for what is free', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 60, size: 'max' }),
        fc.record({
          concurrency: fc.integer({ min: 1, max: 16 }),
          maxConcurrencyPerKey: fc.constantFrom(1, 3, Number.POSITIVE_INFINITY),
          memoryBudgetBytes: fc.integer({ min: 4, max: 40 }),
          maxQueue: fc.integer({ min: 0, max: 10 }),
        }),
        async (actions, options) => {
          const { concurrency, maxConcurrencyPerKey, memoryBudgetBytes, maxQueue } = options;
          const running = new Map<string, Running>();
          const waits = new Map<string, () => void>();
          const admitted = new Map<string, PoolRun>();
          let ended = 0;
          const queue = new RunQueue(
            { ...options, threads: 1, queueTimeoutMs: undefined },
            {
              execute: async (run) => {
                const over = deferred();
                running.set(run.executionId, {
                  run,
                  over,
                  onWait: waits.get(run.executionId) ?? assert.fail(),
                });
                await over.promise;
                return () => ended++;
              },
              onBroken: (_run, error) => assert.fail(String(error)),
              onAbort() {},
              onLate() {},
              onNeedsDrain() {},
              onDrain() {},
            },
          );
          const check = (): void => {
            const all = Array.from(running.values(), ({ run }) => run.settings);
            for (const { key } of all)
              assert.ok(all.filter((each) => each.key === key).length <= maxConcurrencyPerKey);
            const bytes = all.reduce((sum, { limits }) => sum + limits.memoryBytes, 0);
            assert.ok(bytes <= memoryBudgetBytes);
            assert.equal(queue.running + queue.queued, admitted.size);
            assert.ok(queue.running >= running.size && queue.running <= concurrency);
            assert.ok(running.size > 0 || admitted.size === 0, 'all wait');
          };
          const end = async (each: Running | undefined): Promise<void> => {
            if (each === undefined) return;
            running.delete(each.run.executionId);
            admitted.delete(each.run.executionId);
            each.over.resolve();
            await settled();
          };
          let count = 0;
          let left = 0;
          for (const each of actions) {
            if (each.type === 'admit') {
              const id = String(count);
              const run = runNamed(id, each, (onWait) => waits.set(id, onWait));
              const { queued } = queue;
              if (queue.isFullFor(run.settings)) {
                assert.ok(queued >= maxQueue, 'turned away, and there was room');
              } else {
                count++;
                admitted.set(id, run);
                queue.admit(run);
              }
            } else if (each.type === 'leave') {
              const run = admitted.get(String(each.index));
              if (run !== undefined && !running.has(run.executionId)) {
                admitted.delete(run.executionId);
                queue.leave(run);
                left++;
              }
            } else {
              const one = [...running.values()][each.index % Math.max(1, running.size)];
              if (each.type === 'end') await end(one);
              else one?.onWait();
            }
            check();
          }
          while (running.size > 0) {
            await end(running.values().next().value);
            check();
          }
          await queue.drain();
          assert.deepEqual([ended + left, queue.running, queue.queued], [count, 0, 0]);
        },
      ),
      parameters(300),
    );
  });
});
