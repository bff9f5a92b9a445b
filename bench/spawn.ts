/** How long a run waits for its sandbox: one that is there already, and one that must be made first. */
import { createPool } from 'wardenpool';
import { quantile, spread } from './measure.js';
import type { MeasureRow } from './results.js';
import { checkAnswer, NO_CALL } from './workloads.js';

const RUNS = 100;
const SMOKE_RUNS = 5;
/** For the warm set to be full again. */
const PAUSE_MS = 20;

export async function measureSpawn(rounds: number, smoke: boolean): Promise<MeasureRow[]> {
  const cold = await createPool({ threads: 1, warm: { min: 0, max: 0 } });
  const warm = await createPool({ threads: 1, warm: { min: 2, max: 2 } });
  const runs = smoke ? SMOKE_RUNS : RUNS;
  const medians = { cold: [] as number[], warm: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    medians.cold.push(await medianWait(cold, runs));
    medians.warm.push(await medianWait(warm, runs));
  }
  await cold.close();
  await warm.close();
  return (['warm', 'cold'] as const).map((name) => ({
    group: 'wait for a sandbox',
    name,
    subject: 'wardenpool',
    unit: 'ms',
    value: spread(medians[name]),
  }));
}

async function medianWait(pool: Awaited<ReturnType<typeof createPool>>, runs: number): Promise<number> {
  const waits: number[] = [];
  for (let run = 0; run < runs; run++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const result = await pool.run(NO_CALL.program);
    checkAnswer('wardenpool', NO_CALL, result.ok ? result.value : result.error);
    waits.push(result.usage.spawnMs);
  }
  return quantile(
    waits.sort((a, b) => a - b),
    0.5,
  );
}
