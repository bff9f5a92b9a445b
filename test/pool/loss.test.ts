/** What dies under a pool, and what becomes of the runs that were on it. */
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { createPool, type Pool, WorkerLostError } from 'wardenpool';
import { eventually, launchersOf, sandboxesOf } from '../support/processes.js';
import { gate } from './deferred.js';

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`pool: loss, on ${backend}`, () => {
    let pool: Pool;
    beforeEach(async () => {
      // None warm: the only sandbox there is, is the one of the run.
      pool = await createPool({ backend, threads: 1, warm: { min: 0, max: 0 } });
    });
    afterEach(() => pool.close());

    it('says crashed for a sandbox that is killed, and goes on', async () => {
      const { tool, entered } = gate();
      const run = pool.run('await tools.t(); return 1', { t: tool });
      await entered;
      for (const pid of sandboxesOf(process.pid)) process.kill(pid, 'SIGKILL');
      const result = await run;
      assert.ok(!result.ok);
      assert.equal(result.error.kind, 'crashed');
      assert.match(result.error.message, /SIGKILL/);
      assert.equal(result.toolCalls[0]?.outcome, 'abandoned');
      const next = await pool.run('return 1');
      assert.ok(next.ok, next.ok ? '' : next.error.message);
    });

    it('rejects the runs of a launcher that is killed, and starts another', async () => {
      const { tool, entered } = gate();
      const withHandler = pool.run('await tools.t()', { t: tool });
      const without = pool.run('for (;;);');
      const rejections = Promise.all([
        assert.rejects(withHandler, (error) => {
          assert.ok(error instanceof WorkerLostError, String(error));
          assert.equal(error.retryable, false);
          assert.match(error.message, /the launcher ended before it reported the end of the sandbox/);
          assert.equal(error.toolCalls[0]?.outcome, 'abandoned');
          return true;
        }),
        assert.rejects(without, (error) => error instanceof WorkerLostError && error.retryable),
      ]);
      await entered;
      const [launcher] = launchersOf(process.pid);
      assert.ok(launcher !== undefined);
      process.kill(launcher, 'SIGKILL');
      await rejections;
      assert.ok((await pool.run('return 1')).ok);
      assert.match(await pool.registry.metrics(), /wardenpool_launcher_restarts_total 1/);
    });

    it('keeps nothing of a launcher that was killed', async () => {
      const epolls = () =>
        readdirSync('/proc/self/fd').filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).includes('eventpoll');
          } catch {
            return false; // of this listing itself
          }
        }).length;
      const before = epolls();
      for (let i = 0; i < 5; i++) {
        const { tool, entered } = gate();
        const run = pool.run('await tools.t()', { t: tool });
        await entered;
        const [launcher] = launchersOf(process.pid);
        process.kill(launcher ?? assert.fail(), 'SIGKILL');
        await assert.rejects(run, WorkerLostError);
      }
      assert.ok((await pool.run('return 1')).ok);
      assert.ok(await eventually(() => epolls() <= before, 2_000), `${before} before, now ${epolls()}`);
    });

    it('stops a sandbox that does nothing any more, a while after its limit', async () => {
      const { tool, entered } = gate();
      // Long enough for it to be found among all processes of a busy machine, and stopped.
      const run = pool.run('await tools.t()', { t: tool }, { limits: { timeoutMs: 1_500 } });
      await entered;
      for (const pid of sandboxesOf(process.pid)) process.kill(pid, 'SIGSTOP');
      const result = await run;
      assert.ok(!result.ok);
      assert.equal(result.error.kind, 'timeout');
      assert.equal(result.receipt.stop.reason, 'deadline');
      assert.equal(result.receipt.stop.forcedStopAttempted, true);
      assert.equal(pool.stats.forcedStops, 1);
    });
  });
}
