/** Far more runs at once than may wait: what becomes of them, of the main thread, and of its memory. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createPool, type Pool, QueueFullError } from 'wardenpool';
import { checkAnswer, ONE_CALL, TOOLS } from '../workloads.js';

export const MAX_QUEUE = 1_000;

export interface Overload {
  handedIn: number;
  done: number;
  rejected: number;
  /** That run() was called as many times. */
  handInMs: number;
  /** From the first call on. */
  rejectedMs: number;
  doneMs: number;
  loopDelayP50Ms: number;
  loopDelayP99Ms: number;
  loopDelayMostMs: number;
  /** More than before the round, after a collection. */
  heapLeftBytes: number;
  residentLeftBytes: number;
}

/** In one pool, one round after the other; the first, in which code is compiled and memory is reserved, is left out. */
export async function overload(runs: number, rounds: number): Promise<Overload[]> {
  const pool = await createPool({ maxQueue: MAX_QUEUE });
  await overloadOnce(pool, runs);
  const results: Overload[] = [];
  const before = memory();
  for (let round = 0; round < rounds; round++) {
    const result = await overloadOnce(pool, runs);
    const after = memory();
    results.push({
      ...result,
      heapLeftBytes: after.heapUsed - before.heapUsed,
      residentLeftBytes: after.rss - before.rss,
    });
  }
  await pool.close();
  return results;
}

async function overloadOnce(
  pool: Pool,
  runs: number,
): Promise<Omit<Overload, 'heapLeftBytes' | 'residentLeftBytes'>> {
  await sleep(200); // what came before is over
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let [done, rejected, rejectedMs] = [0, 0, 0];
  const startedAt = performance.now();
  const all = Array.from({ length: runs }, () =>
    pool.run(ONE_CALL.program, TOOLS).then(
      (run) => {
        checkAnswer('a run', ONE_CALL, run.ok ? run.value : run.error);
        done++;
      },
      (error: unknown) => {
        if (!(error instanceof QueueFullError)) throw error;
        rejected++;
        rejectedMs = performance.now() - startedAt;
      },
    ),
  );
  const handInMs = performance.now() - startedAt;
  await Promise.all(all);
  const doneMs = performance.now() - startedAt;
  delay.disable();
  const [loopDelayP50Ms, loopDelayP99Ms] = [50, 99].map((share) => delay.percentile(share) / 1e6) as [
    number,
    number,
  ];
  return {
    handedIn: runs,
    done,
    rejected,
    handInMs,
    rejectedMs,
    doneMs,
    loopDelayP50Ms,
    loopDelayP99Ms,
    loopDelayMostMs: delay.max / 1e6,
  };
}

function memory(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage();
}
