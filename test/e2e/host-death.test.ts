import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  descendants,
  eventually,
  launchersOf,
  processesInSessions,
  sandboxesOf,
  sessionOf,
} from '../support/processes.js';

const HOST = fileURLToPath(new URL('../support/child-host.mjs', import.meta.url));

/** Sessions of a host's launchers: they and their sandboxes are in no other, and nobody else is in these. */
function sessionsOf(host: ChildProcess): Set<number> {
  const sessions = new Set(descendants(host.pid ?? assert.fail()).map((pid) => sessionOf(pid) ?? 0));
  sessions.delete(sessionOf(process.pid) ?? 0);
  sessions.delete(0);
  return sessions;
}

/** Sandboxes come and go. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
  }
}

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`death of the host, on ${backend}`, () => {
    let host: ChildProcess;
    let sessions: Set<number>;
    beforeEach(async () => {
      host = fork(HOST, ['wardenpool', 'flood', backend], { execArgv: [] });
      const [message] = await once(host, 'message');
      assert.equal(message, 'flooded');
      sessions = sessionsOf(host);
      assert.equal(sessions.size, 2, 'one for each launcher');
      assert.ok(processesInSessions(sessions).length > 10);
    });
    afterEach(() => host.kill('SIGKILL'));

    async function assertTakesAllAlong(): Promise<void> {
      host.kill('SIGKILL');
      await once(host, 'exit');
      // Measured: one to two seconds on two slow cores, and more beside other busy sandboxes. A launcher that is forgotten stays for ever.
      assert.ok(
        await eventually(() => processesInSessions(sessions).length === 0, 30_000),
        `left: ${processesInSessions(sessions)}`,
      );
    }

    it('takes every process along at once, when the host is killed in the middle of 50 runs', () =>
      assertTakesAllAlong());

    it('does so too when launchers and sandboxes are stopped', async () => {
      const hostPid = host.pid ?? assert.fail();
      const sandboxes = sandboxesOf(hostPid);
      for (const pid of [...launchersOf(hostPid), ...sandboxes]) signal(pid, 'SIGSTOP');
      await assertTakesAllAlong();
    });
  });
}
