/** Launchers that are killed, or cannot be started, and what whoever wants a sandbox hears of it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { LauncherLost, SandboxUnavailable } from '../../src/executor/errors.js';
import { Executor } from '../../src/executor/executor.js';
import { descendants, eventually, statusField } from '../support/processes.js';
import { CEILINGS, EXECUTE, run } from './sandboxes.js';

const BUSY = EXECUTE.replace('return 1;', 'for(;;){}');

/** Takes all descriptors that this process may still have, of a limit that is lowered for it. Returns what gives them back. */
function takeDescriptors(): () => void {
  const limit = (soft: number | string) =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`], { stdio: 'pipe' });
  const before = execFileSync('prlimit', [
    '--pid',
    String(process.pid),
    '--nofile',
    '-o',
    'SOFT',
    '--noheadings',
  ]);
  limit(512);
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'EMFILE');
  }
  return () => {
    for (const descriptor of taken) closeSync(descriptor);
    limit(before.toString().trim());
  };
}

for (const backend of ['namespaces', 'seccomp'] as const)
  describe(`launchers that fail, on ${backend}`, () => {
    let executor: Executor;
    let changes: (string | undefined)[];
    beforeEach(async () => {
      changes = [];
      executor = await Executor.open({
        isolation: 'default',
        backend,
        warm: { min: 0, max: 0 },
        ceilings: CEILINGS,
        onChange: () => changes.push(executor?.problem),
      });
    });
    afterEach(() => executor.close());

    async function runsAgain(): Promise<void> {
      const sandbox = await executor.acquire();
      const { end } = await run(sandbox, () => sandbox.write(EXECUTE));
      assert.deepEqual(end.outcome, { kind: 'exited', code: 0 });
      assert.equal(executor.problem, undefined);
    }

    it('one that is killed takes its sandbox along, says so, and is replaced', async () => {
      const sandbox = await executor.acquire();
      const { launcherPid } = executor;
      const { pid } = sandbox;
      changes.length = 0;
      const { end } = await run(sandbox, () => {
        sandbox.write(BUSY);
        process.kill(launcherPid, 'SIGKILL');
      });
      assert.deepEqual(end.outcome, { kind: 'lost' });
      assert.equal(existsSync(`/proc/${pid}`), false);
      await runsAgain();
      assert.notEqual(executor.launcherPid, launcherPid);
      assert.deepEqual(changes, ['a launcher is being started', undefined]);
    });

    it('one whose end was not heard of yet is lost for whoever asks it, and not unavailable', async () => {
      const { launcherPid } = executor;
      changes.length = 0;
      process.kill(launcherPid, 'SIGKILL');
      // Without a turn of the event loop, until the kernel has closed its end of the control socket.
      const until = performance.now() + 10_000;
      while (/^[^Z]/.test(statusField(launcherPid, 'State'))) assert.ok(performance.now() < until);
      await assert.rejects(executor.acquire(), LauncherLost);
      assert.ok(await eventually(() => changes.length >= 2, 10_000), 'it is heard of, and replaced');
      assert.deepEqual(changes, ['a launcher is being started', undefined]);
      await runsAgain();
    });

    it('one that dies between a request and its answer rejects whoever waits, and nobody else', async () => {
      const { launcherPid } = executor;
      process.kill(launcherPid, 'SIGSTOP');
      const waiting = [executor.acquire(), executor.acquire()];
      process.kill(launcherPid, 'SIGKILL');
      for (const each of await Promise.allSettled(waiting)) {
        assert.ok(each.status === 'rejected');
        assert.equal(each.reason.name, 'LauncherLost');
      }
      await runsAgain();
    });

    it('one that dies while it starts is followed by another, after a wait', async () => {
      const { launcherPid } = executor;
      const others = new Set(descendants(process.pid));
      process.kill(launcherPid, 'SIGKILL');
      // Turn by turn: it is there, and not ready, for some milliseconds only.
      let starting: number[] = [];
      while (starting.length === 0) {
        await setImmediate();
        if (executor.problem === undefined) continue;
        starting = descendants(process.pid).filter((pid) => !others.has(pid));
      }
      for (const pid of starting) process.kill(pid, 'SIGKILL');
      assert.ok(await eventually(() => executor.problem === undefined, 15_000));
      await runsAgain();
    });

    it('while none can be started, runs are told why at once, nothing spins, and it heals by itself', async () => {
      const { launcherPid } = executor;
      const giveBack = takeDescriptors();
      try {
        process.kill(launcherPid, 'SIGKILL');
        assert.ok(await eventually(() => /EMFILE|Too many open files/.test(executor.problem ?? ''), 5_000));
        const begun = performance.now();
        const starts = changes.length;
        while (performance.now() - begun < 1_000) {
          await setImmediate();
          await assert.rejects(executor.acquire(), (error) => {
            assert.ok(error instanceof SandboxUnavailable);
            assert.match(error.message, /could not start the launcher \(EMFILE/);
            return true;
          });
        }
        assert.ok(changes.length - starts <= 5, `${changes.length - starts} starts in a second`);
      } finally {
        giveBack();
      }
      assert.ok(await eventually(() => executor.problem === undefined, 15_000));
      await runsAgain();
    });
  });
