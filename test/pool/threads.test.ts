import assert from 'node:assert/strict';
import { createPool } from 'wardenpool';
import { gate } from './deferred.js';

describe('pool: worker threads', () => {
  it('share the load', async () => {
    const pool = await createPool({ threads: 2 });
    try {
      const { tool, entered, release } = gate(40);
      const runs = Array.from({ length: 40 }, () => pool.run('await tools.t()', { t: tool }));
      await entered;
      assert.deepEqual(
        pool.stats.perThread.map(({ running }) => running),
        [20, 20],
      );
      assert.equal(pool.stats.threads, 2);
      release();
      assert.ok((await Promise.all(runs)).every(({ ok }) => ok));
      assert.deepEqual(
        pool.stats.perThread.map(({ started, running }) => ({ started, running })),
        [
          { started: 20, running: 0 },
          { started: 20, running: 0 },
        ],
      );
    } finally {
      await pool.close();
    }
  });

  it('share the load of runs that come one after the other', async () => {
    const pool = await createPool({ threads: 2 });
    try {
      for (let n = 0; n < 10; n++) await pool.run('return 1');
      assert.deepEqual(
        pool.stats.perThread.map(({ started }) => started),
        [5, 5],
      );
    } finally {
      await pool.close();
    }
  });

  it('say how many sandboxes they have ready, once the set is filled again', async () => {
    const pool = await createPool({ threads: 1, warm: { min: 2, max: 2 } });
    try {
      await Promise.all([pool.run('1'), pool.run('1'), pool.run('1')]);
      for (let wait = 0; pool.stats.warm !== 2 && wait < 200; wait++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      assert.equal(pool.stats.warm, 2);
    } finally {
      await pool.close();
    }
  });
});
