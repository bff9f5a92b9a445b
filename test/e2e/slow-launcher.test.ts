/** A launcher that is slow, as on an overloaded machine, is not taken for one that hangs. */
import assert from 'node:assert/strict';
import { createPool } from 'wardenpool';
import { descendants, pidDepth } from '../support/processes.js';

const RUNS = 300;
/** Longer in all than a launcher may be silent, which is 5 s; each shorter. */
const PAUSES = 4;
const PAUSE_MS = 1_500;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a launcher that answers slowly', () => {
  it('loses no run, however long the last one waits', async () => {
    const pool = await createPool({ threads: 1, concurrency: RUNS, warm: { min: 0, max: 0 } });
    const launcher = descendants(process.pid).find((pid) => pidDepth(pid) === pidDepth(process.pid) + 1);
    assert.ok(launcher !== undefined, 'the pool has a launcher');
    let ended = 0;
    const runs = Array.from({ length: RUNS }, async () => {
      const end = await pool.run('return 1').then(
        ({ ok }) => ok,
        ({ message }: Error) => message,
      );
      ended++;
      return end;
    });
    try {
      for (let i = 0; i < PAUSES; i++) {
        // It gets on a little, and stands still again.
        const before = ended;
        while (ended === before && ended < RUNS) await pause(1);
        process.kill(launcher, 'SIGSTOP');
        await pause(PAUSE_MS);
        process.kill(launcher, 'SIGCONT');
      }
      assert.deepEqual(await Promise.all(runs), Array(RUNS).fill(true));
    } finally {
      await pool.close();
    }
  });
});
