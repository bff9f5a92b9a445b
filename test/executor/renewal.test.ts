// A launcher that has cloned many sandboxes is replaced, while runs go on: with a small number for "many".
import assert from 'node:assert/strict';
import { Executor } from '../../src/executor/executor.js';
import { descendants, eventually } from '../support/processes.js';
import { CEILINGS, EXECUTE, run } from './sandboxes.js';

const RENEW_AFTER = 10;

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`executor: a new launcher in time, on ${backend}`, () => {
    let executor: Executor;
    beforeEach(async () => {
      const warm = { min: 2, max: 2 };
      executor = await Executor.open({
        isolation: 'default',
        backend,
        warm,
        ceilings: CEILINGS,
        renewAfter: RENEW_AFTER,
      });
    });
    afterEach(() => executor.close());

    const runOne = async () => {
      const sandbox = await executor.acquire();
      const { end } = await run(sandbox, () => sandbox.write(EXECUTE));
      assert.deepEqual(end.outcome, { kind: 'exited', code: 0 });
    };
    const isReplaced = async (launcherPid: number) => {
      for (let runs = 0; runs < 20 * RENEW_AFTER && executor.launcherPid === launcherPid; runs++)
        await runOne();
      return executor.launcherPid !== launcherPid;
    };

    it('takes the place of the one before, whose runs all end, and which then ends', async () => {
      const { launcherPid } = executor;
      assert.ok(await isReplaced(launcherPid));
      await runOne();
      const isGone = () => !descendants(process.pid).includes(launcherPid);
      assert.ok(await eventually(isGone, 10_000), 'the launcher before has ended');
      assert.equal(executor.stats.launcherRestarts, 0);
      assert.ok(await eventually(() => executor.stats.warm === 2, 10_000), 'there is a warm set again');
    });

    it('leaves a run of the launcher before in peace', async () => {
      const { launcherPid } = executor;
      const long = await executor.acquire();
      const longRun = run(long);
      assert.ok(await isReplaced(launcherPid));
      await runOne();
      assert.ok(descendants(process.pid).includes(launcherPid), 'the launcher before is still there');
      long.write(EXECUTE);
      assert.deepEqual((await longRun).end.outcome, { kind: 'exited', code: 0 });
      const isGone = () => !descendants(process.pid).includes(launcherPid);
      assert.ok(await eventually(isGone, 10_000), 'the launcher before has ended');
    });

    it('ends both when it is closed in between', async () => {
      const before = new Set(descendants(process.pid));
      const { launcherPid } = executor;
      const long = await executor.acquire();
      const longRun = run(long);
      assert.ok(await isReplaced(launcherPid));
      await executor.close();
      assert.equal((await longRun).end.containmentConfirmed, true);
      const left = descendants(process.pid);
      assert.ok(!left.includes(launcherPid));
      assert.deepEqual(
        left.filter((pid) => !before.has(pid)),
        [],
      );
    });

    it('goes on when the one before is killed', async () => {
      const { launcherPid } = executor;
      const long = await executor.acquire();
      const longRun = run(long);
      assert.ok(await isReplaced(launcherPid));
      process.kill(launcherPid, 'SIGKILL');
      assert.equal((await longRun).end.outcome.kind, 'lost');
      await runOne();
      assert.equal(executor.stats.launcherRestarts, 0);
    });
  });
}
