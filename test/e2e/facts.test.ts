/** A receipt's facts, checked from outside: what the kernel shows of the sandbox while its program waits for a tool. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { createPool, type Pool, type RunResult } from 'wardenpool';
import {
  descriptorsOf,
  launchersOf,
  namespaceOf,
  parentOf,
  pidDepth,
  sandboxesOf,
  statusField,
} from '../support/processes.js';

/** The kernel's names for the namespaces of a receipt. */
const NAMESPACES = {
  user: 'user',
  mount: 'mnt',
  pid: 'pid',
  network: 'net',
  ipc: 'ipc',
  uts: 'uts',
  cgroup: 'cgroup',
} as const;

/** Runs `look` while `count` programs wait in their sandboxes, in one turn of the loop. */
async function whileWaiting(pool: Pool, count: number, look: () => void): Promise<RunResult<unknown>[]> {
  let waiting = 0;
  let allWait: () => void = () => {};
  let release: () => void = () => {};
  const everybodyWaits = new Promise<void>((resolve) => {
    allWait = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wait = async () => {
    if (++waiting === count) allWait();
    await released;
    return null;
  };
  const runs = Array.from({ length: count }, () => pool.run('await tools.wait(); return 1;', { wait }));
  try {
    await everybodyWaits;
    look();
  } finally {
    release();
  }
  return Promise.all(runs);
}

/** What differs, by backend and isolation: declared here, as it is in docs/isolation.md. */
const SANDBOXES = [
  { backend: 'namespaces', isolation: 'default', session: 'of its launcher', hasOwnRoot: true },
  { backend: 'namespaces', isolation: 'strict', session: 'its own', hasOwnRoot: true },
  // Its root, its network and its processes are the host's: what keeps it from them is the filter alone.
  { backend: 'seccomp', isolation: 'default', session: 'of its launcher', hasOwnRoot: false },
] as const;

for (const { backend, isolation, session: expectedSession, hasOwnRoot } of SANDBOXES) {
  describe(`facts of a sandbox, backend ${backend}, isolation ${isolation}`, () => {
    let pool: Pool;
    before(async () => {
      pool = await createPool({ threads: 1, backend, isolation });
    });
    after(() => pool.close());

    async function lookAtTwo(look: (pids: number[]) => void): Promise<RunResult<unknown>[]> {
      const runs = await whileWaiting(pool, 2, () => {
        // Beside the two there are warm ones, and some may be on their way to that.
        const pids = sandboxesOf(process.pid).filter((pid) => statusField(pid, 'Seccomp_filters') === '2');
        assert.ok(pids.length >= 2, 'the two sandboxes are there');
        look(pids);
      });
      for (const run of runs) assert.equal(run.ok, true);
      return runs;
    }

    it('has no uid or gid 0, no privileges, and two seccomp filters', async () => {
      const boundingSets = new Set<string>();
      const [run] = await lookAtTwo((pids) => {
        for (const pid of pids) {
          for (const field of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
            assert.match(statusField(pid, field), /^0+$/, field);
          boundingSets.add(/^0+$/.test(statusField(pid, 'CapBnd')) ? 'empty' : 'host');
          assert.equal(statusField(pid, 'NoNewPrivs'), '1');
          assert.equal(statusField(pid, 'Seccomp'), '2');
          assert.equal(statusField(pid, 'Seccomp_filters'), '2');
          for (const field of ['Uid', 'Gid'])
            for (const id of statusField(pid, field).split(/\s+/)) assert.notEqual(id, '0', field);
        }
      });
      const { isolation: facts } = run?.receipt ?? assert.fail();
      assert.deepEqual(facts.capabilities, []);
      assert.equal(facts.noNewPrivs, true);
      assert.deepEqual([...boundingSets], [facts.boundingSet]);
      // Only root may empty it, but in a user namespace of its own.
      if (backend === 'namespaces' || process.geteuid?.() === 0) assert.equal(facts.boundingSet, 'empty');
      assert.notEqual(facts.userId, 0);
    });

    it('is not dumpable: its entries in /proc are root’s, whoever it runs as', async () => {
      await lookAtTwo((pids) => {
        for (const pid of pids) assert.equal(statSync(`/proc/${pid}/environ`).uid, 0);
      });
    });

    it('runs as the user that the receipt names', async () => {
      let seen = '';
      const [run] = await lookAtTwo(([pid = 0]) => {
        seen = `${statusField(pid, 'Uid').split(/\s+/)[0]} ${statusField(pid, 'Gid').split(/\s+/)[0]}`;
      });
      const { userId, groupId } = run?.receipt.isolation ?? assert.fail();
      assert.equal(seen, `${userId} ${groupId}`);
    });

    it('has namespaces that are not the host’s, or just as the receipt says, and shares just those with a sibling', async () => {
      const seen: Record<string, string[]> = {};
      const [run] = await lookAtTwo(([first = 0, second = 0]) => {
        for (const [name, file] of Object.entries(NAMESPACES))
          seen[name] = [
            namespaceOf('self', file) ?? '',
            namespaceOf(first, file) ?? '',
            namespaceOf(second, file) ?? '',
          ];
      });
      const kinds = run?.receipt.isolation.namespaces ?? assert.fail();
      for (const name of Object.keys(NAMESPACES) as (keyof typeof NAMESPACES)[]) {
        const [host, first, second] = seen[name] ?? [];
        const kind = first === host ? 'host' : first === second ? 'shared-null' : 'private';
        assert.equal(kind, kinds[name], name);
        assert.equal(kind === 'host', backend === 'seccomp', name);
      }
    });

    it('has a session that is not the host’s, and no terminal', async () => {
      const sessionOf = (pid: number | 'self') => {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [, parent, , session, terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return { parent: Number(parent), session: Number(session), terminal: Number(terminal) };
      };
      await lookAtTwo((pids) => {
        for (const pid of pids) {
          const { parent, session, terminal } = sessionOf(pid);
          assert.equal(session, expectedSession === 'its own' ? pid : sessionOf(parent).session);
          assert.notEqual(session, sessionOf('self').session);
          assert.equal(terminal, 0);
        }
      });
    });

    it('has exactly descriptors 0 to 3: nothing, diagnostics twice, and the bridge', async () => {
      await lookAtTwo((pids) => {
        for (const pid of pids) {
          const descriptors = descriptorsOf(pid) ?? assert.fail();
          assert.deepEqual([...descriptors.keys()].sort(), [0, 1, 2, 3]);
          assert.equal(descriptors.get(0), '/dev/null');
          assert.match(descriptors.get(1) ?? '', /^pipe:/);
          assert.equal(descriptors.get(2), descriptors.get(1));
          assert.match(descriptors.get(3) ?? '', /^socket:/);
        }
      });
    });

    it('has an empty environment and no arguments', async () => {
      await lookAtTwo((pids) => {
        for (const pid of pids) {
          assert.equal(readFileSync(`/proc/${pid}/environ`, 'utf8'), '');
          assert.equal(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '');
        }
      });
    });

    it(hasOwnRoot ? 'has an empty root' : 'has the host’s root, as its working directory too', async () => {
      await lookAtTwo((pids) => {
        for (const pid of pids) {
          assert.equal(readlinkSync(`/proc/${pid}/cwd`), '/');
          if (!hasOwnRoot) {
            assert.deepEqual(readdirSync(`/proc/${pid}/root`), readdirSync('/'));
            continue;
          }
          assert.deepEqual(readdirSync(`/proc/${pid}/root`), []);
          const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n');
          assert.equal(mounts.length, 1);
          assert.match(mounts[0] ?? '', / \/ \/ ro,/);
        }
      });
    });

    it('has resource limits under which nothing can grow', async () => {
      await lookAtTwo((pids) => {
        for (const pid of pids) {
          const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
          const expected: [name: string, soft: string, hard: string][] = [
            ['Max cpu time', '6', '7'],
            ['Max file size', '0', '0'],
            ['Max data size', '0', '0'],
            ['Max stack size', '0', '0'],
            ['Max processes', '0', '0'],
            ['Max open files', '4', '4'],
            ['Max locked memory', '0', '0'],
          ];
          for (const [name, soft, hard] of expected)
            assert.match(limits, new RegExp(`^${name} +${soft} +${hard} `, 'm'), name);
          assert.match(limits, /^Max core file size +[01] +[01] /m);
        }
      });
    });

    it(
      hasOwnRoot
        ? 'has a network without a usable interface'
        : 'sees the host’s network, which it cannot use',
      async () => {
        await lookAtTwo(([pid = 0]) => {
          const names = (of: number) =>
            readFileSync(`/proc/${of}/net/dev`, 'utf8')
              .trim()
              .split('\n')
              .slice(2)
              .map((line) => line.split(':')[0]);
          if (backend === 'seccomp') {
            assert.deepEqual(names(pid), names(process.pid));
            return;
          }
          const interfaces = readFileSync(`/proc/${pid}/net/dev`, 'utf8').trim().split('\n').slice(2);
          assert.ok(interfaces.every((line) => line.trim().startsWith('lo:')));
          assert.equal(readFileSync(`/proc/${pid}/net/route`, 'utf8').trim().split('\n').length, 1);
        });
      },
    );

    it('has a launcher between it and the host that is no more than unprivileged itself', async () => {
      await lookAtTwo(() => {
        const launchers = launchersOf(process.pid);
        assert.equal(launchers.length, 1);
        for (const pid of launchers) {
          assert.equal(pidDepth(pid) - pidDepth(process.pid), backend === 'seccomp' ? 0 : 1);
          assert.notEqual(statusField(pid, 'Uid').split(/\s+/)[0], '0');
          assert.equal(statusField(pid, 'Seccomp_filters'), '1');
          if (backend === 'namespaces') assert.match(statusField(pid, 'CapBnd'), /^0+$/);
          else assert.match(statusField(pid, 'CapEff'), /^0+$/);
          assert.equal(readFileSync(`/proc/${pid}/environ`, 'utf8'), '');
        }
      });
    });
  });
}

describe('facts of the process between the host and a launcher without namespaces', () => {
  it('is as unprivileged as the launcher, holds no descriptor, and is not dumpable', async () => {
    const pool = await createPool({ threads: 1, backend: 'seccomp' });
    try {
      await whileWaiting(pool, 1, () => {
        const [launcher = 0] = launchersOf(process.pid);
        const reaper = parentOf(launcher) ?? assert.fail();
        assert.equal(parentOf(reaper), process.pid);
        assert.notEqual(statusField(reaper, 'Uid').split(/\s+/)[0], '0');
        for (const field of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
          assert.match(statusField(reaper, field), /^0+$/, field);
        assert.equal(statusField(reaper, 'NoNewPrivs'), '1');
        assert.deepEqual([...(descriptorsOf(reaper)?.keys() ?? [-1])], []);
        assert.equal(statSync(`/proc/${reaper}/environ`).uid, 0);
      });
    } finally {
      await pool.close();
    }
  });
});
