/** The wall clock is moved, in every process of the sandbox and in the host: no deadline takes notice. */
import assert from 'node:assert/strict';
import type { Pool } from 'wardenpool';
import { makePlace, type Place } from './place.js';
import { type FaultyPackage, faultyPackage } from './seam.js';

const DAY_SECONDS = 86_400;

describe('faults: a wall clock that is moved', () => {
  let place: Place;
  let faulty: FaultyPackage;
  let pool: Pool;
  before(async () => {
    place = makePlace();
    faulty = await faultyPackage('launcher');
    pool = await faulty.wardenpool.createPool({ threads: 1, warm: { min: 0, max: 0 } });
  });
  after(async () => {
    await pool.close();
    faulty.remove();
    place.remove();
  });
  afterEach(() => faulty.faults.shiftClock(0));

  /** Of this process: nothing in it asks the kernel, so it is enough to lie to JavaScript. */
  async function withHostClock<T>(seconds: number, act: () => Promise<T>): Promise<T> {
    const { now } = Date;
    Date.now = () => now() + seconds * 1000;
    try {
      return await act();
    } finally {
      Date.now = now;
    }
  }

  it('is seen by a program that runs', async () => {
    const run = pool.run(
      'const start = Date.now(); tools.started(); while (Math.abs(Date.now() - start) < 3_600_000); return Date.now() - start',
      { started: () => faulty.faults.shiftClock(DAY_SECONDS) },
      { limits: { timeoutMs: 30_000 } },
    );
    const result = await run;
    assert.ok(result.ok, result.ok ? '' : result.error.message);
    assert.ok(Number(result.value) >= DAY_SECONDS * 1000);
  });

  for (const days of [-1, 1])
    it(`does not move the deadline of a run (${days} day)`, async () => {
      await withHostClock(days * DAY_SECONDS, async () => {
        const startedAt = performance.now();
        const run = pool.run(
          'tools.started(); for (;;);',
          { started: () => faulty.faults.shiftClock(days * DAY_SECONDS) },
          { limits: { timeoutMs: 1_000 } },
        );
        const result = await run;
        assert.equal(!result.ok && result.error.kind, 'timeout');
        assert.ok(performance.now() - startedAt >= 990);
      });
    });

  for (const days of [-1, 1])
    it(`does not move the wall-clock limit of a command (${days} day)`, async () => {
      const startedAt = performance.now();
      const execution = faulty.executor.spawnIsolated(['sleep', '600'], {
        policy: faulty.executor.readOnly(),
        limits: { wallMs: 1_000 },
      });
      execution.protocol.resume();
      const { receipt } = await withHostClock(days * DAY_SECONDS, () => execution.wait());
      assert.equal(receipt.stop.reason, 'deadline');
      assert.ok(performance.now() - startedAt >= 990);
    });
});
