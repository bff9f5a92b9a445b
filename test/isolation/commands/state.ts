/** What a command starts with, from inside and as the host's kernel shows it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readWrite } from 'wardenpool/executor';
import { HOST_MARKER } from '../../support/host-process.js';
import { namespaceOf, statusField } from '../../support/processes.js';
import { type Attack, attack, probe } from './attack.js';

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

const NETWORK_DIRECT = { policy: { ...readWrite(), network: { mode: 'direct' } } } as const;

export const STATE_ATTACKS: readonly Attack[] = [
  probe('descriptors from 0 to 1023', ['descriptors'], { open: '0 1 2 3' }, '0 to 3 are open'),
  attack(
    'the host’s environment, in its own and in the whole stack',
    'not there; only what it was given is',
    async (scene) => {
      const backwards = [...HOST_MARKER].reverse().join('');
      assert.deepEqual(await scene.ends(['memory', backwards]), {
        variables: 0,
        stacks: 1,
        'of the host': 0,
      });
      const given = await scene.ends(['memory', backwards], { environment: { [HOST_MARKER]: 'given' } });
      assert.equal(given['of the host'], 1, 'the probe finds what is there');
    },
  ),
  probe(
    'who it is',
    ['identity'],
    { users: '65534 65534 65534', groups: '65534 65534 65534', secure: 0 },
    '65534, as user and as group',
  ),
  attack(
    'privileges, as the host sees them',
    'no capability, no uid or gid 0, no_new_privs, a filter, no core',
    async (scene) => {
      const running = scene.start(['stay']);
      const { pid } = await running.said;
      const fields = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((field) =>
        statusField(pid, field),
      );
      const ids = ['Uid', 'Gid'].map((field) => statusField(pid, field).split(/\s+/));
      const [noNewPrivs, seccomp] = [statusField(pid, 'NoNewPrivs'), statusField(pid, 'Seccomp')];
      const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
      running.release();
      const { isolation } = (await running.ended).receipt;
      for (const field of fields) assert.match(field, /^0+$/);
      const expected = scene.host.userId === 0 ? '65534' : String(scene.host.userId);
      for (const each of ids) assert.deepEqual(each, Array(4).fill(expected));
      assert.deepEqual([noNewPrivs, seccomp], ['1', '2']);
      assert.match(limits, /^Max core file size +[01] +[01] /m);
      assert.equal(String(isolation.userId), expected);
      assert.equal(isolation.noNewPrivs, true);
      assert.equal(isolation.seccomp.mode, 'filter');
    },
  ),
  attack(
    'namespaces, against the host’s and a sibling’s, as the receipt says',
    'each as the receipt says',
    async (scene) => {
      for (const options of [{}, NETWORK_DIRECT]) {
        const pair = [scene.start(['stay'], options), scene.start(['stay'], options)];
        const pids = await Promise.all(pair.map(async ({ said }) => (await said).pid));
        const seen = Object.entries(NAMESPACES).map(([name, file]) => ({
          name: name as keyof typeof NAMESPACES,
          host: namespaceOf('self', file),
          each: pids.map((pid) => namespaceOf(pid, file)),
        }));
        for (const running of pair) running.release();
        const [end] = await Promise.all(pair.map(({ ended }) => ended));
        const said = end?.receipt.isolation.namespaces ?? assert.fail();
        for (const { name, host, each } of seen) {
          const [first, second] = each;
          assert.ok(host !== undefined && first !== undefined && second !== undefined, name);
          const kind = first === host ? 'host' : first === second ? 'shared-null' : 'private';
          assert.equal(kind, said[name], name);
        }
      }
    },
    ['network-direct'],
  ),
];
