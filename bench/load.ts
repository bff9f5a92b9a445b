/** How a pool behaves under much work: a long queue, and the main thread's event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createPool, type Pool } from 'wardenpool';
import { spread } from './measure.js';
import type { MeasureRow } from './results.js';
import { checkAnswer, ONE_CALL, TOOLS } from './workloads.js';

const IN_FLIGHT = 16;
const MEASURED_RUNS = 400;
const SMOKE_RUNS = 20;
const FULL_LOAD_IN_FLIGHT = 128;
const SHORT_QUEUE = 100;
const LONG_QUEUE = 10_000;
/** The delay is measured by a timer of this period, which is in every figure of the histogram. */
const TIMER_MS = 1;

export async function measureLoad(rounds: number, smoke: boolean): Promise<MeasureRow[]> {
  const runs = smoke ? SMOKE_RUNS : MEASURED_RUNS;
  const ratios: number[] = [];
  const delays: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const short = await rateWithQueue(SHORT_QUEUE, runs);
    const long = await rateWithQueue(LONG_QUEUE, runs);
    ratios.push(long / short);
    delays.push(await loopDelayMs(runs * 4));
  }
  return [
    {
      group: 'load',
      name: `rate with ${LONG_QUEUE} queued to rate with ${SHORT_QUEUE}`,
      subject: 'wardenpool',
      unit: 'ratio',
      value: spread(ratios),
    },
    {
      group: 'load',
      name: `delay of the main thread's event loop, p99, ${FULL_LOAD_IN_FLIGHT} in flight`,
      subject: 'wardenpool',
      unit: 'ms',
      value: spread(delays),
    },
  ];
}

/** Runs per second while so many wait in the queue all the time. */
async function rateWithQueue(queued: number, runs: number): Promise<number> {
  const pool = await createPool({ concurrency: IN_FLIGHT, maxQueue: queued + IN_FLIGHT });
  try {
    return await new Promise<number>((resolve, reject) => {
      let done = 0;
      let startedAt = 0;
      const submit = () => {
        runOnce(pool).then(() => {
          done++;
          if (done === IN_FLIGHT * 2) startedAt = performance.now();
          if (done === IN_FLIGHT * 2 + runs) resolve((runs * 1000) / (performance.now() - startedAt));
          else submit();
        }, reject);
      };
      for (let run = 0; run < queued + IN_FLIGHT; run++) submit();
    });
  } finally {
    await pool.destroy();
  }
}

async function loopDelayMs(runs: number): Promise<number> {
  const pool = await createPool();
  const histogram = monitorEventLoopDelay({ resolution: TIMER_MS });
  let left = runs;
  let isWarm = false;
  await Promise.all(
    Array.from({ length: FULL_LOAD_IN_FLIGHT }, async () => {
      while (left-- > 0) {
        await runOnce(pool);
        if (isWarm) continue;
        isWarm = true;
        histogram.enable();
      }
    }),
  );
  histogram.disable();
  await pool.close();
  return Math.max(0, histogram.percentile(99) / 1e6 - TIMER_MS);
}

async function runOnce(pool: Pool): Promise<void> {
  const run = await pool.run(ONE_CALL.program, TOOLS);
  checkAnswer('wardenpool', ONE_CALL, run.ok ? run.value : run.error);
}
