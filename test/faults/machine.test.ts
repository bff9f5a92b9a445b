/** A machine that refuses: namespaces, processes, space for temporary files, cgroups. By real means, each in a place of its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from 'wardenpool';
import { probeCgroups, readOnly, SpawnFailed, spawnIsolated } from 'wardenpool/executor';
import { descendants, eventually } from '../support/processes.js';
import { assertReceipt } from '../support/receipts.js';
import { importWhereRefused } from '../support/where-refused.js';
import { LimitedHost } from './limited-host.js';

const isRoot = process.geteuid?.() === 0;

interface Refusal {
  name: string;
  code?: string;
  missing?: { capability: string; reason: string }[];
  value?: RunResult<unknown>;
}

const POOL_AND_COMMAND = `
  import { createPool } from 'wardenpool';
  import { readOnly, spawnIsolated } from 'wardenpool/executor';
  const told = async (act) => {
    try { return { value: await act() }; } catch ({ name, code, missing }) { return { name, code, missing }; }
  };
  const pool = await told(() => createPool({ backend: 'namespaces', threads: 1 }));
  const command = await told(() => spawnIsolated(['true'], { backend: 'namespaces', policy: readOnly() }).wait());
  console.log(JSON.stringify([pool, command]));
`;

describe('faults: a machine without namespaces left', () => {
  for (const kind of ['mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup'])
    it(`refuses pools and commands where max_${kind}_namespaces is 0, and names what is missing`, async () => {
      const limit = `import { writeFileSync } from 'node:fs'; writeFileSync('/proc/sys/user/max_${kind}_namespaces', '0');`;
      const [pool, command] = await importWhereRefused<[Refusal, Refusal]>(limit + POOL_AND_COMMAND, {
        refused: 'none',
      });
      assert.equal(pool.code, 'SANDBOX_UNAVAILABLE');
      assert.equal(command.name, 'SandboxUnavailable');
      const [missing, ...others] = pool.missing ?? [];
      assert.deepEqual(others, []);
      assert.equal(missing?.capability, 'user-namespaces');
      assert.match(missing?.reason ?? '', /could not create user, mount, PID.*ENOSPC/);
    });
});

describe('faults: a user without processes left', () => {
  /** Of nobody else, so that the limit counts this host alone. */
  const OTHER_USER = '12399';
  let host: LimitedHost;
  beforeEach(async () => {
    const before = isRoot ? ['setpriv', '--reuid', OTHER_USER, '--regid', OTHER_USER, '--clear-groups'] : [];
    host = await LimitedHost.start(before);
  });
  afterEach(() => host.close());

  it('is told that a command cannot be started, by RLIMIT_NPROC', async () => {
    assert.deepEqual((await host.ask('command', 'namespaces')).error, undefined);
    host.limit('--nproc=1:');
    const { error } = await host.ask('command', 'namespaces');
    assert.equal(error?.name, 'SpawnFailed');
    assert.match(error?.message ?? '', /EAGAIN.*RLIMIT_NPROC/);
    assert.equal(error?.receipt?.kind, 'spawn-failed');
    assert.deepEqual(descendants(host.pid), []);
  });

  it('is told that a run has no sandbox, or has lost its launcher, and goes on when there are processes again', async () => {
    await host.ask('open', 'namespaces');
    assert.equal((await host.ask('run')).value, 42);
    host.limit('--nproc=100:');
    assert.equal((await host.ask('run')).value, 42);
    await host.ask('close');
    host.limit('--nproc=1:');
    const { error } = await host.ask('open', 'namespaces');
    assert.ok(error !== undefined);
    assert.deepEqual(descendants(host.pid), []);
  });
});

describe('faults: a temporary directory that takes nothing', () => {
  const mounts = {
    ENOSPC: 'mount -t tmpfs -o size=4k,nr_inodes=1 none "$0"',
    EROFS: 'mount -t tmpfs -o ro none "$0"',
  };
  for (const [code, mount] of Object.entries(mounts))
    it(`refuses commands that need one, with ${code} and a receipt, and runs those that do not`, async () => {
      const script = `${mount} && exec "$@"`;
      // Any directory does, since only this host sees the mount.
      const place = '/mnt';
      const unshare = ['unshare', isRoot ? '-m' : '-Urm', 'sh', '-c', script, place];
      const host = await LimitedHost.start(unshare, { TMPDIR: place });
      try {
        for (const action of ['command', 'unconfined']) {
          const { error } = await host.ask(action, 'bubblewrap');
          assert.ok(error !== undefined, action);
          assert.match(error.message, new RegExp(`private directories could not be made.*${code}`));
          assert.equal(error.receipt?.kind, 'spawn-failed');
        }
        assert.deepEqual((await host.ask('command', 'namespaces')).error, undefined);
      } finally {
        await host.close();
      }
    });
});

describe('faults: cgroups', () => {
  const parents = () => [...new Set(Object.values(probeCgroups().parents))];
  /** Names that the next commands of this process would take. */
  const taken = () =>
    parents().flatMap((parent) =>
      Array.from({ length: 300 }, (_, index) =>
        join(parent, `wardenpool-${process.pid}-command-${index + 1}`),
      ),
    );
  const options = { policy: readOnly(), limits: { processes: 8 } };

  it('that cannot be made refuse the command, with a receipt', async () => {
    assert.ok(parents().length > 0, 'this test needs a cgroup in which cgroups may be made');
    const made = taken().filter((directory) => !existsSync(directory));
    for (const directory of made) mkdirSync(directory);
    try {
      const error = await spawnIsolated(['true'], options)
        .wait()
        .then(
          () => assert.fail('it ran'),
          (thrown: unknown) => thrown,
        );
      assert.ok(error instanceof SpawnFailed, String(error));
      assert.match(error.message, /could not be made.*EEXIST/);
      assert.ok(error.receipt !== undefined);
      assertReceipt(error.receipt);
      assert.equal(error.receipt.outcome.kind, 'spawn-failed');
    } finally {
      for (const directory of made) rmdirSync(directory);
    }
  });

  it('that are in use by somebody else when the command is over are left, with a warning: the command has its result', async () => {
    assert.ok(parents().length > 0, 'this test needs a cgroup in which cgroups may be made');
    const intruder = spawn('sleep', ['600']);
    const execution = spawnIsolated(['sh', '-c', 'echo there; read go <&3'], options);
    execution.protocol.resume();
    await once(execution.stderr, 'data');
    const inUse = taken().filter(existsSync);
    assert.ok(inUse.length > 0);
    for (const directory of inUse) writeFileSync(join(directory, 'cgroup.procs'), String(intruder.pid));
    const warned = once(process, 'warning');
    execution.protocol.end('go\n');
    const { returncode } = await execution.wait();
    assert.equal(returncode, 0);
    const [warning] = (await warned) as [Error];
    assert.match(warning.message, new RegExp(`could not be removed; it has the processes ${intruder.pid}`));
    intruder.kill('SIGKILL');
    await once(intruder, 'exit');
    const removeAll = () => {
      try {
        for (const directory of inUse) if (existsSync(directory)) rmdirSync(directory);
        return true;
      } catch {
        return false;
      }
    };
    assert.ok(await eventually(removeAll, 10_000));
  });
});
