/** Latencies of honest runs, alone in a pool and with hostile ones beside them, in turns. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'wardenpool';
import { quantile } from '../measure.js';
import { checkAnswer, ONE_CALL, TOOLS } from '../workloads.js';
import { HOSTILE_TOOLS, type HostileProgram } from './programs.js';

/** Of each kind, at the same time. */
const LANES = 10;

/**
 * A hostile program that has ended is started again, but not sooner than so long after it began: the program is hostile, and not whoever
 * has it run, which is a model that takes its time for each.
 */
const TURN_MS = 1_000;

export interface Latency {
  p50Ms: number;
  p99Ms: number;
  perSecond: number;
}

/** For so long, after the hostile ones have had `leadMs` to themselves. */
export async function honestLatency(
  pool: Pool,
  hostile: readonly HostileProgram[],
  forMs: number,
  leadMs: number,
): Promise<Latency> {
  let isOver = false;
  const aborted = new AbortController();
  setMaxListeners(0, aborted.signal); // each run and each pause of ten lanes listens
  const attack = Array.from({ length: hostile.length === 0 ? 0 : LANES }, async (_, lane) => {
    for (let turn = lane; !isOver; turn++) {
      const nextTurn = pause(TURN_MS, aborted.signal);
      await attackOnce(pool, hostile[turn % hostile.length], aborted.signal);
      await nextTurn;
    }
  });
  await pause(leadMs);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + forMs;
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let from = performance.now(); from < until; from = performance.now()) {
        const run = await pool.run(ONE_CALL.program, TOOLS);
        checkAnswer('an honest run', ONE_CALL, run.ok ? run.value : run.error);
        latencies.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  aborted.abort();
  await Promise.all(attack);
  await pool.drain();
  latencies.sort((a, b) => a - b);
  return {
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    perSecond: latencies.length / seconds,
  };
}

/** However it ends, as long as it is the program's own end. */
async function attackOnce(
  pool: Pool,
  hostile: HostileProgram | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pool.run(hostile?.program ?? '', HOSTILE_TOOLS, { signal });
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  }
}

/** Ends early, and never rejects, when it is aborted. */
function pause(milliseconds: number, signal?: AbortSignal): Promise<unknown> {
  return sleep(milliseconds, undefined, { signal }).catch(() => {});
}
