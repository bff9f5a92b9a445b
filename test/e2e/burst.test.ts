/** More runs at once than there are sandboxes, and than the launcher has been asked for. */
import assert from 'node:assert/strict';
import { createPool } from 'wardenpool';

const RUNS = 600;

describe('a burst of runs', () => {
  it('gives each a sandbox, although none is ready and the launcher takes one request after the other', async () => {
    const pool = await createPool({
      threads: 1,
      concurrency: RUNS,
      memoryBudgetBytes: RUNS * 67_108_864,
      warm: { min: 0, max: 0 },
    });
    let waiting = 0;
    let open: () => void = () => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    // Each waits until all are there: so many sandboxes live at once.
    const meet = async () => {
      if (++waiting === RUNS) open();
      await all;
      return waiting;
    };
    const runs = Array.from({ length: RUNS }, () => pool.run('return await tools.meet({})', { meet }));
    for (const run of await Promise.all(runs)) assert.equal(run.ok ? run.value : run.error.message, RUNS);
    await pool.close();
  });
});
