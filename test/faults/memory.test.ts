/**
 * The kernel’s out-of-memory killer, by a memory cgroup that a process of a pool is moved into: who is taken, what its run is told, and
 * that the pool goes on. That it was the kernel, its own count says.
 */
import assert from 'node:assert/strict';
import { createPool, type Pool, WorkerLostError } from 'wardenpool';
import { Cgroup } from '../../src/executor/cgroup/cgroup.js';
import { gate } from '../pool/deferred.js';
import { eventually, launchersOf, sandboxesOf, startTimeOf } from '../support/processes.js';

/** Less than any program below wants, more than an idle sandbox touches anew. */
const RUNNER_BYTES = 4_194_304;
/** A page: less than the kernel needs for one clone. */
const LAUNCHER_BYTES = 4_096;
const GREEDY = "await tools.t(); const all = []; for (;;) all.push('x'.repeat(100_000) + all.length)";

let made = 0;

/** Moves a process into a memory cgroup of its own. */
function confine(pid: number, memoryBytes: number): Cgroup {
  const cgroup = Cgroup.create(`memory-${++made}`, { memoryBytes });
  assert.ok(cgroup?.enforces.memoryBytes, 'this test needs a cgroup in which cgroups of memory may be made');
  cgroup.join(pid);
  return cgroup;
}

for (const backend of ['namespaces', 'seccomp'] as const)
  describe(`faults: out of memory, on ${backend}`, () => {
    let pool: Pool;
    beforeEach(async () => {
      pool = await createPool({ backend, threads: 1, warm: { min: 0, max: 0 } });
    });
    afterEach(() => pool.close());

    it('the kernel takes a sandbox: its result says crashed, its receipt by what, and nobody else is touched', async () => {
      const { tool, entered, release } = gate();
      const run = pool.run(GREEDY, { t: tool });
      await entered;
      const [sandbox] = sandboxesOf(process.pid);
      const [launcher] = launchersOf(process.pid);
      const cgroup = confine(sandbox ?? assert.fail('no sandbox was found'), RUNNER_BYTES);
      const neighbour = gate();
      const other = pool.run('await tools.t(); return 2', { t: neighbour.tool });
      await neighbour.entered;
      release();
      const result = await run;
      assert.ok(!result.ok);
      assert.equal(result.error.kind, 'crashed', result.error.message);
      assert.match(result.error.message, /SIGKILL/);
      assert.deepEqual(result.receipt.outcome, { kind: 'signaled', signal: 'SIGKILL' });
      assert.equal(result.receipt.state, 'complete');
      // Nobody here wanted its end.
      assert.equal(result.receipt.stop.reason, null);
      assert.equal(result.receipt.stop.forcedStopAttempted, false);
      assert.equal(cgroup.usage().oomKills, 1);
      await cgroup.remove();

      neighbour.release();
      assert.ok((await other).ok);
      assert.deepEqual((await pool.run('return 1')).ok, true);
      assert.match(await pool.registry.metrics(), /wardenpool_launcher_restarts_total 0/);
      assert.ok(startTimeOf(launcher ?? 0) !== undefined, 'the launcher is the same');
    });

    it('the kernel takes a launcher: its runs are lost, those without a handler may be tried again, and another is started', async () => {
      const { tool, entered } = gate();
      const withHandler = pool.run('await tools.t()', { t: tool });
      await entered;
      const [launcher] = launchersOf(process.pid);
      const without = pool.run('for (;;);');
      assert.ok(await eventually(() => sandboxesOf(process.pid).length === 2, 10_000));
      const cgroup = confine(launcher ?? assert.fail('no launcher was found'), LAUNCHER_BYTES);
      // What it asks the kernel for next is more than it may have.
      const next = pool.run('return 3');
      const ends = await Promise.allSettled([withHandler, without, next]);
      const errors = ends.map((end) => (end.status === 'rejected' ? end.reason : end.value));
      for (const error of errors) assert.ok(error instanceof WorkerLostError, JSON.stringify(error));
      assert.deepEqual(
        errors.map(({ retryable }) => retryable),
        [false, true, true],
      );
      assert.equal(errors[0].toolCalls[0].outcome, 'abandoned');
      assert.match(errors[2].message, /the launcher was killed by SIGKILL/);
      assert.ok((cgroup.usage().oomKills ?? 0) > 0, 'the kernel counts no kill');
      await cgroup.remove();
      assert.equal(startTimeOf(launcher ?? 0), undefined);

      assert.ok((await pool.run('return 1')).ok);
      assert.match(await pool.registry.metrics(), /wardenpool_launcher_restarts_total 1/);
    });
  });
