import assert from 'node:assert/strict';
import { type ProcessLimits, probeCgroups } from 'wardenpool/executor';
import { type Collected, collect, shell } from './collect.js';

/** A limit that is reached, and how that shows. */
const CASES: {
  limit: keyof ProcessLimits;
  limits: ProcessLimits;
  program: string[];
  enforcer: RegExp;
  /** In the receipt's `limitsReached`, where something ended it: a resource limit on memory makes calls fail. */
  ends: boolean | 'with a cgroup';
  shows(end: Collected): boolean;
}[] = [
  {
    limit: 'wallMs',
    limits: { wallMs: 200 },
    program: ['sleep', '600'],
    enforcer: /^timer$/,
    ends: true,
    shows: ({ signal, receipt }) => signal === 'SIGTERM' && receipt.stop.reason === 'deadline',
  },
  {
    limit: 'cpuMs',
    limits: { cpuMs: 1_000 },
    program: shell('while :; do :; done'),
    enforcer: /^(rlimit|cgroup-v[12])$/,
    ends: true,
    shows: ({ signal }) => signal === 'SIGKILL' || signal === 'SIGXCPU',
  },
  {
    limit: 'memoryBytes',
    limits: { memoryBytes: 67_108_864 },
    program: ['python3', '-c', 'x = bytearray(200_000_000)'],
    enforcer: /^(rlimit|cgroup-v[12])$/,
    ends: 'with a cgroup',
    shows: ({ signal, stderr }) => signal === 'SIGKILL' || stderr.includes('MemoryError'),
  },
  {
    limit: 'processes',
    limits: { processes: 4 },
    program: ['python3', '-c', 'import os, time\nfor _ in range(20):\n  if os.fork() == 0: time.sleep(600)'],
    enforcer: /^(rlimit|cgroup-v[12])$/,
    ends: false,
    shows: ({ stderr }) => stderr.includes('BlockingIOError'),
  },
  {
    limit: 'fileBytes',
    limits: { fileBytes: 1_000 },
    program: shell('head -c 2000 /dev/zero > /tmp/file; wc -c < /tmp/file'),
    enforcer: /^rlimit$/,
    ends: false,
    shows: ({ stderr }) => stderr.includes('1000'),
  },
  {
    limit: 'openFiles',
    limits: { openFiles: 10 },
    program: ['python3', '-c', 'x = [open("/dev/null") for _ in range(20)]'],
    enforcer: /^rlimit$/,
    ends: false,
    shows: ({ stderr }) => stderr.includes('Too many open files'),
  },
  {
    limit: 'tempBytes',
    limits: { tempBytes: 65_536 },
    program: shell('head -c 200000 /dev/zero > /tmp/file; wc -c < /tmp/file'),
    enforcer: /^tmpfs$/,
    ends: false,
    shows: ({ stderr }) => stderr.includes('No space left on device') && stderr.includes('65536'),
  },
  {
    limit: 'tempInodes',
    limits: { tempInodes: 5 },
    program: shell('for name in 1 2 3 4 5 6; do : > /tmp/$name; done; ls /tmp | wc -l'),
    enforcer: /^tmpfs$/,
    ends: false,
    shows: ({ stderr }) => /[Nn]o space left on device|cannot create/.test(stderr),
  },
];

describe('limits of a command', () => {
  for (const { limit, limits, program, enforcer, ends, shows } of CASES)
    it(`${limit} is enforced, and the receipt says by what`, async () => {
      const end = await collect(program, { limits });
      assert.ok(shows(end), JSON.stringify({ ...end, protocol: '' }, null, 1));
      assert.equal(end.receipt.limits[limit], limits[limit]);
      assert.match(end.receipt.limitedBy?.[limit] ?? '', enforcer);
      const isReached = ends === 'with a cgroup' ? end.receipt.isolation.cgroup !== 'none' : ends;
      assert.deepEqual(end.receipt.limitsReached, isReached ? [limit] : undefined);
    });

  it('are those of a cgroup where there are cgroups, and it is gone afterwards', async () => {
    const { receipt } = await collect(['true'], {
      limits: { memoryBytes: 100_000_000, processes: 50, cpuMs: 60_000 },
    });
    assert.equal(receipt.isolation.cgroup, probeCgroups().version);
    assert.equal(receipt.usage.cgroup !== undefined, receipt.isolation.cgroup !== 'none');
  });
});
