import assert from 'node:assert/strict';
import { createPool } from 'wardenpool';
import { type Outcomes, runMixed } from '../campaigns/soak/mixed-load.js';
import { MIXED_PROGRAMS } from '../campaigns/soak/programs.js';
import { holdingsOf, leftAfter } from '../support/leak-check.js';
import { privateTemporary } from '../support/private-temporary.js';
import { eventually } from '../support/processes.js';

const RUNS = 1_000;
const IN_FLIGHT = 32;
/** The warm sets of two threads may be at any size within their limits: one process and four descriptors each. */
const WARM = 2 * 32;

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`leaks, on ${backend}`, () => {
    const temporary = privateTemporary();
    before(temporary.enter);
    after(temporary.leave);

    it('leaves nothing behind after 1,000 runs at 32 in flight with mixed outcomes', async function () {
      this.timeout(180_000);
      const outcomes: Outcomes = {};
      const open = () => createPool({ backend, threads: 2, limits: { memoryBytes: 16_777_216 } });
      // What Node itself opens once, and keeps.
      await (await open()).close();
      const before = holdingsOf(process.pid);
      const pool = await open();
      await runMixed(pool, { from: 0, to: IN_FLIGHT, inFlight: IN_FLIGHT }, outcomes);
      const warmedUp = holdingsOf(process.pid);
      await runMixed(pool, { from: IN_FLIGHT, to: RUNS, inFlight: IN_FLIGHT }, outcomes);
      assert.equal(Object.keys(outcomes).length, new Set(MIXED_PROGRAMS.map(({ end }) => end)).size);

      const isFlat = () => {
        const now = holdingsOf(process.pid);
        return (
          now.processes.length <= warmedUp.processes.length + WARM &&
          now.descriptors.length <= warmedUp.descriptors.length + 4 * WARM &&
          now.threads.length <= warmedUp.threads.length &&
          now.mounts.length === warmedUp.mounts.length
        );
      };
      assert.ok(await eventually(isFlat, 5_000), JSON.stringify({ warmedUp, now: holdingsOf(process.pid) }));
      // A run that was aborted last rejects before its sandbox is gone.
      assert.ok(await eventually(() => pool.stats.running === 0, 5_000), String(pool.stats.running));

      await pool.close();
      assert.deepEqual(await leftAfter(before), []);
    });
  });
}
