/** What a tenant with few runs waits for, alone and while another has thousands in the queue. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool, type Pool } from 'wardenpool';
import { quantile } from '../measure.js';
import { checkAnswer, ONE_CALL, TOOLS } from '../workloads.js';

/** Runs that the small tenant hands in at once. */
export const BATCH = 10;

/** From its last answer to its next runs, ms: without it, the small tenant would have as many runs as the large one. */
const PAUSE_MS = 200;

export interface Waits {
  /** For a slot. */
  waitP99Ms: number;
  /** From run() to its result. */
  answerP99Ms: number;
}

export interface Tenants {
  slots: number;
  alone: Waits;
  beside: Waits;
}

/** @param concurrency slots of the pool; undefined: as many as it has by default */
export async function tenants(
  concurrency: number | undefined,
  crowd: number,
  batches: number,
): Promise<Tenants> {
  const pool = await createPool({ concurrency, maxQueue: crowd + BATCH });
  await smallTenant(pool, batches); // the first runs are not like the others
  const alone = await smallTenant(pool, batches);
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const busy = Array.from({ length: crowd }, () => keepBusy(pool, over.signal));
  const slots = pool.stats.running;
  const beside = await smallTenant(pool, batches);
  over.abort();
  await Promise.all(busy);
  await pool.close();
  return { slots, alone, beside };
}

async function smallTenant(pool: Pool, batches: number): Promise<Waits> {
  const waits: number[] = [];
  const answers: number[] = [];
  for (let batch = 0; batch < batches; batch++) {
    await sleep(PAUSE_MS);
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: BATCH }, async () => {
        const run = await pool.run(ONE_CALL.program, TOOLS, { key: 'small' });
        checkAnswer('a run of the small tenant', ONE_CALL, run.ok ? run.value : run.error);
        answers.push(performance.now() - startedAt);
        waits.push(run.usage.queueMs);
      }),
    );
  }
  return { waitP99Ms: p99(waits), answerP99Ms: p99(answers) };
}

/** Hands in another run whenever one is done. */
async function keepBusy(pool: Pool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await pool.run(ONE_CALL.program, TOOLS, { key: 'large', signal });
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
    }
  }
}

function p99(values: number[]): number {
  return quantile(
    values.sort((a, b) => a - b),
    0.99,
  );
}
