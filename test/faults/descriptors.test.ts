/** EMFILE at each descriptor that a host makes, one after the other: it has one more to spare each time, until it has enough. */
import assert from 'node:assert/strict';
import { descendants, eventually } from '../support/processes.js';
import { type Answer, LimitedHost } from './limited-host.js';

const MOST_SPARE = 40;
const PLENTY = '--nofile=1024:';

/** The lowest limit that leaves `spare` numbers below it free. */
function limitFor(open: readonly number[], spare: number): number {
  let limit = 0;
  for (let free = 0; free < spare; limit++) if (!open.includes(limit)) free++;
  return limit;
}

describe('faults: a host without descriptors', function () {
  this.timeout(240_000);
  let host: LimitedHost;
  beforeEach(async () => {
    host = await LimitedHost.start();
    host.limit(PLENTY);
  });
  afterEach(() => host.close());

  /** Asks once for each number of spare descriptors; resolves to how often it was refused. Nothing may be left of any of them. */
  async function refusalsUntilEnough(
    action: string,
    backend: string | undefined,
    isDone: (answer: Answer) => boolean,
    check: (answer: Answer) => void,
  ): Promise<number> {
    assert.ok(isDone(await host.ask(action, backend)), 'it works with plenty');
    const look = async () => (await host.ask('look')).descriptors ?? [];
    const open = await look();
    const processes = descendants(host.pid).length;
    for (let spare = 0; spare <= MOST_SPARE; spare++) {
      host.limit(`--nofile=${limitFor(open, spare)}:`);
      const answer = await host.ask(action, backend);
      host.limit(PLENTY);
      assert.ok(
        await eventually(() => descendants(host.pid).length <= processes, 20_000),
        'a process is left',
      );
      for (let tries = 0; (await look()).length > open.length; tries++)
        assert.ok(tries < 100, `${spare} to spare: descriptors are left: ${JSON.stringify(answer)}`);
      if (isDone(answer)) return spare;
      check(answer);
      assert.ok(isDone(await host.ask(action, backend)), 'it works again with plenty');
    }
    return assert.fail(`${MOST_SPARE} are not enough`);
  }

  const backends = ['namespaces', 'bubblewrap', undefined] as const;
  for (const backend of backends)
    it(`refuses a command on ${backend ?? 'posix'}, with a receipt, at each descriptor that it cannot make`, async () => {
      const refused = await refusalsUntilEnough(
        backend === undefined ? 'unconfined' : 'command',
        backend,
        ({ value }) => (value as { returncode?: number } | undefined)?.returncode === 0,
        ({ error, value }) => {
          assert.ok(error !== undefined, JSON.stringify(value));
          assert.ok(
            ['SandboxUnavailable', 'SpawnFailed', 'LauncherLost'].includes(error.name),
            JSON.stringify(error),
          );
          if (/could not plan the command/.test(error.message)) return;
          assert.ok(error.receipt !== undefined, JSON.stringify(error));
          assert.notEqual(error.receipt.kind, 'exited');
        },
      );
      assert.ok(refused >= 5, `it needed only ${refused}`);
    });

  for (const backend of ['namespaces', 'seccomp'])
    it(`rejects a run on ${backend} at each descriptor that it cannot make, and goes on`, async () => {
      await host.ask('open', backend);
      const refused = await refusalsUntilEnough(
        'run',
        undefined,
        ({ value }) => value === 42,
        ({ error, value }) => {
          assert.ok(error !== undefined, JSON.stringify(value));
          assert.ok(['SANDBOX_UNAVAILABLE', 'WORKER_LOST'].includes(error.code ?? ''), JSON.stringify(error));
        },
      );
      assert.ok(refused >= 3, `it needed only ${refused}`);
    });
});
