/** Kernels in a sandbox, by `pool.run`, as a user would run them. */
import { createPool } from 'wardenpool';
import type { Engine } from './engine.js';
import { timed, timeOf } from './kernels.js';

/** No kernel comes near one of these, even on a machine that is slow and busy. */
const LIMITS = { memoryBytes: 268_435_456, cpuMs: 120_000, timeoutMs: 600_000 };

export async function wardenpoolEngine(): Promise<Engine> {
  const name = 'wardenpool';
  const pool = await createPool({ threads: 1, limits: LIMITS });
  return {
    name,
    async run(kernel) {
      const result = await pool.run(timed(kernel));
      return timeOf(name, kernel, result.ok ? result.value : result.error);
    },
    close: () => pool.close(),
  };
}
