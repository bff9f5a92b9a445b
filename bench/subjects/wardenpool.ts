/** `pool.run`, as a user would call it. */
import { createPool, type PoolOptions } from 'wardenpool';
import { measure } from '../measure.js';
import type { Subject } from '../subject.js';
import { checkAnswer, TOOLS } from '../workloads.js';

export async function wardenpoolSubject(name = 'wardenpool', options: PoolOptions = {}): Promise<Subject> {
  const pool = await createPool(options);
  return {
    name,
    measure: (workload, inFlight, count) =>
      measure(
        async () => {
          const run = await pool.run(workload.program, TOOLS);
          checkAnswer(name, workload, run.ok ? run.value : run.error);
        },
        inFlight,
        count,
      ),
    close: () => pool.close(),
  };
}
