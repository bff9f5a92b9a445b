import assert from 'node:assert/strict';
import { cgroupLocations } from '../../src/executor/cgroup/location.js';

const V1 = `30 22 0:27 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
31 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
34 30 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
`;
const V2 = '40 30 0:37 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n';

const directories = (cgroup: string, mountinfo: string): string[] =>
  cgroupLocations(cgroup, mountinfo).map(({ directory }) => directory);

describe('executor: where a process is in its cgroup hierarchies', () => {
  it('finds a process in version 2', () => {
    assert.deepEqual(cgroupLocations('0::/user.slice/a.scope\n', V2), [
      {
        version: 'v2',
        controllers: [],
        directory: '/sys/fs/cgroup/user.slice/a.scope',
        top: '/sys/fs/cgroup',
      },
    ]);
  });

  it('finds it in each hierarchy of version 1, also where one has two controllers', () => {
    assert.deepEqual(directories('4:memory:/a/b\n2:cpu,cpuacct:/\n', V1), [
      '/sys/fs/cgroup/memory/a/b',
      '/sys/fs/cgroup/cpu,cpuacct',
    ]);
  });

  it('leaves out what is not mounted, and hierarchies without controllers', () => {
    assert.deepEqual(directories('9:pids:/a\n8:name=systemd:/a\n0::/a\n', V1), []);
  });

  it('finds it below the part of a hierarchy that a container has', () => {
    const mount = '40 30 0:37 /docker/c1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n';
    assert.deepEqual(directories('0::/docker/c1\n', mount), ['/sys/fs/cgroup']);
    assert.deepEqual(directories('0::/docker/c1/below\n', mount), ['/sys/fs/cgroup/below']);
  });

  it('does not name a directory that is outside of what is mounted', () => {
    const mount = '40 30 0:37 /docker/c1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n';
    for (const path of ['/docker/c10', '/docker', '/', '/../other']) {
      assert.deepEqual(directories(`0::${path}\n`, mount), [], path);
    }
    assert.deepEqual(directories('0::/../other\n', V2), []);
  });

  it('reads blanks, colons and backslashes in names', () => {
    const mount = '40 30 0:37 / /mnt/a\\040b - cgroup2 cgroup rw\n'.replace(' - ', ' rw - ');
    assert.deepEqual(directories('0::/c:d e\n', mount), ['/mnt/a b/c:d e']);
  });

  it('makes nothing of texts that are none of the kernel’s', () => {
    assert.deepEqual(cgroupLocations('', ''), []);
    assert.deepEqual(cgroupLocations('x\n:\n0::\n', 'y - z\n- cgroup2\n'), []);
  });
});
