/**
 * Cgroups with real processes. Where this machine gives none, what is tested is that it says why. Version 2 is tried as far as the
 * machine's mount goes: its limits only where it has the controllers.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cgroup } from '../../src/executor/cgroup/cgroup.js';
import { delegatedParent } from '../../src/executor/cgroup/delegation.js';
import type { CgroupLimit } from '../../src/executor/cgroup/files.js';
import { ownLocations } from '../../src/executor/cgroup/location.js';
import { cgroupName, removeAbandoned } from '../../src/executor/cgroup/name.js';
import {
  type CgroupSupport,
  probeCgroups,
  probeVersion1,
  probeVersion2,
} from '../../src/executor/cgroup/support.js';
import { CgroupFailed } from '../../src/executor/errors.js';
import { eventually } from '../support/processes.js';
import { type WaitingChild, waitingChild } from '../support/waiting-child.js';

const failed = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof CgroupFailed, String(error));
  assert.equal(error.code, 'CGROUP_FAILED');
  assert.match(error.message, message);
  return true;
};

/** True if cgroups enforce it here; otherwise the machine has said why not. */
function has(support: CgroupSupport, limit: CgroupLimit): boolean {
  if (support.parents[limit] !== undefined) return true;
  assert.match(support.missing[limit] ?? '', /\w{3,}/, `${limit}: a reason`);
  return false;
}

/** What of ours there is now, in all of the hierarchies. */
const ours = ({ parents }: CgroupSupport): string[] =>
  [...new Set(Object.values(parents))].flatMap((parent) =>
    readdirSync(parent).filter((name) => name.startsWith(cgroupName(''))),
  );

const versions: [string, () => CgroupSupport][] = [
  ['version 1', () => probeVersion1(ownLocations())],
  ['version 2', () => probeVersion2(ownLocations())],
];

for (const [what, probe] of versions) {
  describe(`executor: cgroups, ${what}`, () => {
    let support: CgroupSupport;
    const children: WaitingChild[] = [];
    const cgroups: Cgroup[] = [];
    let made = 0;

    before(() => {
      support = probe();
    });
    afterEach(async () => {
      for (const child of children.splice(0)) {
        child.kill();
        await child.ended;
      }
      for (const cgroup of cgroups.splice(0)) {
        for (const directory of cgroup.directories.filter(existsSync))
          for (const pid of readFileSync(join(directory, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
            process.kill(Number(pid), 'SIGKILL');
        await cgroup.remove();
      }
      assert.deepEqual(ours(support), [], 'nothing is left');
    });

    function create(limits: Parameters<typeof Cgroup.create>[1]): Cgroup {
      const cgroup = Cgroup.create(`test-${++made}`, limits, support);
      assert.ok(cgroup !== undefined);
      cgroups.push(cgroup);
      return cgroup;
    }

    function childIn(cgroup: Cgroup, script: string): WaitingChild {
      const child = waitingChild(script);
      children.push(child);
      cgroup.join(child.pid);
      return child;
    }

    it('are probed: each limit is enforced, or it is said why not', () => {
      const limits = ['memoryBytes', 'processes', 'cpuMs'] as const;
      const enforced = limits.filter((limit) => has(support, limit));
      assert.equal(support.version === 'none', enforced.length === 0);
      for (const limit of enforced) assert.equal(support.missing[limit], undefined);
    });

    it('are given where the probe says so, and only there', () => {
      if (support.version === 'none') {
        assert.equal(Cgroup.create('none', {}, support), undefined);
        return;
      }
      const cgroup = create({ memoryBytes: 16_777_216, processes: 4 });
      assert.equal(cgroup.version, support.version);
      assert.deepEqual(Object.keys(cgroup.enforces).sort(), Object.keys(support.parents).sort());
      for (const enforcer of Object.values(cgroup.enforces))
        assert.equal(enforcer, `cgroup-${support.version}`);
    });

    it('enforce no limit that was not given', () => {
      if (support.version === 'none') return has(support, 'memoryBytes');
      assert.equal(create({}).enforces.memoryBytes, undefined);
    });

    it('end a process that takes more memory than the limit', async () => {
      if (!has(support, 'memoryBytes')) return;
      const cgroup = create({ memoryBytes: 33_554_432 });
      const child = childIn(cgroup, 'exec tail /dev/zero');
      child.go();
      assert.equal((await child.ended).signal, 'SIGKILL');
      const { oomKills = 0, peakMemoryBytes = 0 } = cgroup.usage();
      assert.equal(oomKills, 1);
      assert.ok(peakMemoryBytes > 16_777_216 && peakMemoryBytes <= 33_554_432, String(peakMemoryBytes));
    });

    it('refuse a process more than the limit', async () => {
      if (!has(support, 'processes')) return;
      const cgroup = create({ processes: 5 });
      const child = childIn(cgroup, 'for i in 1 2 3 4 5 6 7 8 9; do sleep 50 & done; wait');
      child.go();
      // The shell gives up when it is refused a child.
      assert.notEqual((await child.ended).code, 0);
      const { peakProcesses } = cgroup.usage();
      if (peakProcesses !== undefined) assert.equal(peakProcesses, 5);
      const [directory = ''] = cgroup.directories;
      assert.equal(readFileSync(join(directory, 'cgroup.procs'), 'utf8').trim().split('\n').length, 4);
    });

    it('count the CPU time of all processes together, and tell when it is too much', async () => {
      if (!has(support, 'cpuMs')) return;
      const cgroup = create({});
      const child = childIn(cgroup, 'while :; do :; done & while :; do :; done');
      const used = new Promise<number>((resolve) => void cgroup.watchCpu(200, resolve));
      child.go();
      // What watches does not keep the process alive; a test has to.
      const alive = setInterval(() => {}, 1_000);
      const usedMs = await used;
      clearInterval(alive);
      assert.ok(usedMs > 200, String(usedMs));
      assert.ok((cgroup.usage().cpuMs ?? 0) >= usedMs);
    });

    it('do not tell of CPU time any more when nobody watches', async () => {
      if (!has(support, 'cpuMs')) return;
      const cgroup = create({});
      const child = childIn(cgroup, 'while :; do :; done');
      const stop = cgroup.watchCpu(20, () => assert.fail('it was stopped'));
      stop();
      child.go();
      assert.ok(await eventually(() => (cgroup.usage().cpuMs ?? 0) > 100, 20_000));
    });

    it('are joined by a process with what it starts later', async () => {
      if (support.version === 'none') return has(support, 'cpuMs');
      const cgroup = create({});
      const child = childIn(cgroup, 'sleep 50 & wait');
      child.go();
      for (const directory of cgroup.directories) {
        const joined = () => readFileSync(join(directory, 'cgroup.procs'), 'utf8').trim().split('\n');
        assert.ok(await eventually(() => joined().length === 2, 5_000), joined().join(' '));
        assert.ok(joined().includes(String(child.pid)));
      }
    });

    it('cannot be joined by a process that is gone', async () => {
      if (support.version === 'none') return has(support, 'cpuMs');
      const { pid } = spawnSync('/bin/true');
      const cgroup = create({});
      assert.throws(() => cgroup.join(pid), failed(/process \d+ could not be moved into its cgroup: ESRCH/));
    });

    it('are removed only when nothing is in them, and then at once, twice too', async () => {
      if (support.version === 'none') return has(support, 'cpuMs');
      const cgroup = create({});
      const child = childIn(cgroup, 'true');
      await assert.rejects(cgroup.remove(), failed(new RegExp(`has the processes ${child.pid}: EBUSY`)));
      const removed = cgroup.remove();
      child.kill();
      await removed;
      await cgroup.remove();
      assert.deepEqual(cgroup.directories.filter(existsSync), []);
      assert.deepEqual(cgroup.usage(), {});
    });

    it('may disappear: then they cannot be joined, count nothing, and are removed', async () => {
      if (support.version === 'none') return has(support, 'cpuMs');
      const cgroup = create({});
      for (const directory of cgroup.directories) rmdirSync(directory);
      assert.throws(() => cgroup.join(process.pid), failed(/could not be moved into its cgroup: ENOENT/));
      assert.deepEqual(cgroup.usage(), {});
      cgroup.watchCpu(1, () => assert.fail('there is nothing to watch'));
      assert.equal(cgroup.kill(), false);
      await cgroup.remove();
    });

    it('are made in all hierarchies, or in none', () => {
      if (support.version === 'none') return has(support, 'cpuMs');
      const last = Object.values(support.parents).at(-1) ?? assert.fail();
      const inTheWay = join(last, cgroupName('taken'));
      mkdirSync(inTheWay);
      try {
        assert.throws(() => Cgroup.create('taken', {}, support), failed(/could not be made: EEXIST/));
        assert.deepEqual(ours(support), [cgroupName('taken')]);
      } finally {
        rmdirSync(inTheWay);
      }
    });

    it('are not made with a limit that the kernel refuses', () => {
      if (!has(support, 'processes')) return;
      assert.throws(
        () => Cgroup.create('refused', { processes: -5 }, support),
        failed(/could not be made: EINVAL/),
      );
    });

    it('are killed as one where the kernel can, and otherwise it says so', async () => {
      if (support.version === 'none') return has(support, 'cpuMs');
      const cgroup = create({});
      const child = childIn(cgroup, 'sleep 50 & wait');
      const [directory = ''] = cgroup.directories;
      const can = existsSync(join(directory, 'cgroup.kill'));
      assert.equal(cgroup.kill(), can);
      if (can) assert.equal((await child.ended).signal, 'SIGKILL');
    });

    it('have names that are no paths', () => {
      for (const name of ['', '../x', 'a/b', 'a b', 'x'.repeat(201)])
        assert.throws(() => Cgroup.create(name, {}, support), failed(/the name of a cgroup is/));
    });

    it('that a dead process left behind are removed, and no others', () => {
      const [parent] = Object.values(support.parents);
      if (parent === undefined) return has(support, 'cpuMs');
      const { pid } = spawnSync('/bin/true');
      const [dead, alive] = [join(parent, `wardenpool-${pid}-x`), join(parent, cgroupName('x'))];
      for (const directory of [dead, alive]) mkdirSync(directory);
      removeAbandoned(parent);
      assert.equal(existsSync(dead), false);
      assert.equal(existsSync(alive), true);
      rmdirSync(alive);
    });
  });
}

describe('executor: cgroups of this machine', () => {
  it('are those of version 2 if they have a limit, or else those of version 1', () => {
    const [version1, version2] = [probeVersion1(ownLocations()), probeVersion2(ownLocations())];
    const { memoryBytes, processes } = version2.parents;
    const expected =
      memoryBytes !== undefined || processes !== undefined || version1.version === 'none'
        ? version2
        : version1;
    assert.equal(probeCgroups().version, expected.version);
    assert.deepEqual(probeCgroups().parents, expected.parents);
  });

  it('are looked for once', () => {
    assert.equal(probeCgroups(), probeCgroups());
  });
});

describe('executor: cgroups that may not be made', () => {
  it('are named with the reason, for a user to whom nothing was delegated', () => {
    // An ordinary user may have a cgroup of its own, and says so; root becomes one who has not.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(12_345);
    const supports = [probeVersion1(ownLocations()), probeVersion2(ownLocations())];
    if (isRoot) process.seteuid?.(0);
    for (const support of supports) {
      if (isRoot) assert.equal(support.version, 'none');
      for (const limit of ['memoryBytes', 'processes', 'cpuMs'] as const) has(support, limit);
    }
    if (isRoot) assert.match(Object.values(supports[0]?.missing ?? {}).join(), /EACCES|no hierarchy/);
  });

  it('are named with the reason where no hierarchy is mounted', () => {
    for (const support of [probeVersion1([]), probeVersion2([])]) {
      assert.equal(support.version, 'none');
      for (const limit of ['memoryBytes', 'processes', 'cpuMs'] as const)
        assert.match(support.missing[limit] ?? '', /mounted/);
    }
  });
});

describe('executor: cgroups of version 2 beside our own', () => {
  const own = ownLocations().find(({ version }) => version === 'v2');
  const base = own === undefined ? '' : join(own.directory, `test-${process.pid}`);
  let child: WaitingChild | undefined;

  /** Makes `test-PID/main`, with a process in it, and `others` beside it; false if that may not be done here. */
  function arrange(others: string[]): boolean {
    if (own === undefined || !has(probeVersion2([own]), 'cpuMs')) return false;
    child = waitingChild('true');
    for (const directory of ['', 'main', ...others]) mkdirSync(join(base, directory));
    writeFileSync(join(base, 'main', 'cgroup.procs'), String(child.pid));
    return true;
  }
  const placed = () =>
    delegatedParent({ version: 'v2', controllers: [], directory: join(base, 'main'), top: own?.top ?? '' });

  afterEach(async () => {
    child?.kill();
    await child?.ended;
    child = undefined;
    if (!existsSync(base)) return;
    for (const name of readdirSync(base, { withFileTypes: true }))
      if (name.isDirectory()) assert.ok(await eventually(() => isRemoved(join(base, name.name)), 2_000));
    rmdirSync(base);
  });

  function isRemoved(directory: string): boolean {
    try {
      rmdirSync(directory);
      return true;
    } catch {
      return false;
    }
  }

  it('are made where the cgroup above is this service’s alone', () => {
    if (arrange(['empty', 'wardenpool-1-x'])) assert.deepEqual(placed(), { parent: base });
  });

  it('have only the controllers that the cgroup above has', () => {
    if (!arrange([])) return;
    const available = readFileSync(join(base, 'cgroup.controllers'), 'utf8').split(/\s+/);
    const location = {
      version: 'v2',
      controllers: [],
      directory: join(base, 'main'),
      top: own?.top ?? '',
    } as const;
    const { parents, missing } = probeVersion2([location]);
    assert.equal(parents.cpuMs, base);
    for (const [limit, controller] of [
      ['memoryBytes', 'memory'],
      ['processes', 'pids'],
    ] as const) {
      if (available.includes(controller)) assert.equal(parents[limit], base);
      else assert.match(missing[limit] ?? '', new RegExp(`does not have the controller ${controller}`));
    }
  });

  it('are not made where others are in use beside it', async () => {
    if (!arrange(['other'])) return;
    const other = waitingChild('true');
    writeFileSync(join(base, 'other', 'cgroup.procs'), String(other.pid));
    const answer = placed();
    other.kill();
    await other.ended;
    assert.match(
      'reason' in answer ? answer.reason : '',
      /has others that are in use, such as .*other: .*Delegate=yes/,
    );
  });

  it('are not made beside a cgroup that is directly below the root, or that nothing is seen above of', () => {
    if (!arrange([])) return;
    const at = (directory: string, top: string) => {
      const answer = delegatedParent({ version: 'v2', controllers: [], directory, top });
      return 'reason' in answer ? answer.reason : answer.parent;
    };
    assert.match(at(base, base), /topmost cgroup that it sees/);
    const above = own?.directory ?? '';
    if (!existsSync(join(above, 'cgroup.type'))) {
      assert.match(at(base, above), /is the root, which is the machine's/);
      assert.equal(at(above, above), above);
    }
  });
});
