/**
 * System calls that no command may make. The table is written down a second time on purpose, apart from the list that the filter
 * is made of.
 */
import assert from 'node:assert/strict';
import { type Attack, all, attack, probe } from './attack.js';

/** x86-64 numbers. */
export const REFUSED = {
  EPERM: [
    ...[165, 166, 155, 161, 428, 429, 430, 431, 432, 433, 442, 457, 458], // mount, umount2, pivot_root, chroot, the new mount calls
    ...[272, 308], // unshare, setns
    ...[248, 249, 250], // add_key, request_key, keyctl
    ...[321, 298, 323, 447], // bpf, perf_event_open, userfaultfd, memfd_secret
    ...[101, 310, 311, 312, 438, 440], // ptrace, process_vm_*, kcmp, pidfd_getfd, process_madvise
    ...[303, 304], // name_to_handle_at, open_by_handle_at
    ...[246, 320, 175, 313, 176, 169, 167, 168, 163, 179, 443], // kexec, modules, reboot, swap, acct, quotas
    ...[103, 164, 227, 305, 159, 170, 171, 153, 300], // syslog, clocks, names, vhangup, fanotify_init
    ...[180, 212, 154, 172, 173, 134, 156, 174, 177, 178], // nfsservctl, lookup_dcookie, modify_ldt, iopl, ioperm, and calls long gone
  ],
  ENOSYS: [
    ...[425, 426, 427, 435, 437], // io_uring, clone3, openat2
    ...Array.from({ length: 600 - 463 + 1 }, (_, index) => 463 + index), // what the filter does not know
  ],
};

/** sync(), which waits for all disks of the machine, and is not for a test to call. */
const NOT_TRIED = [162];

const NUMBERS = Array.from({ length: 601 }, (_, number) => number);
const X32_BIT = 0x4000_0000;

/** socket and socketpair, whose family 0 is refused; fchmod and setgroups, by the kernel itself. */
const EPERM_WITH_ZEROS = [41, 53, 91, 116];

const OTHERS = NUMBERS.filter(
  (number) => ![...REFUSED.EPERM, ...REFUSED.ENOSYS, ...NOT_TRIED].includes(number),
);

/** Calls that are refused with some arguments only. */
export const RESTRICTED = [
  ...[2, 16, 41, 53, 56, 85, 90, 91, 133, 135], // open, ioctl, socket, socketpair, clone, creat, chmod, fchmod, mknod, personality
  ...[257, 259, 268, 302, 452], // openat, mknodat, fchmodat, prlimit64, fchmodat2
];

const FAMILIES = Array.from({ length: 46 }, (_, family) => family);
const [AF_UNIX, AF_INET, AF_INET6] = [1, 2, 10];

const NAMESPACES = ['user', 'mount', 'pid', 'network', 'ipc', 'uts', 'cgroup', 'time'];

export const CALL_ATTACKS: readonly Attack[] = [
  probe('calls that are refused', ['calls', ...REFUSED.EPERM.map(String)], all(REFUSED.EPERM, 'EPERM')),
  probe('calls that do not exist', ['calls', ...REFUSED.ENOSYS.map(String)], all(REFUSED.ENOSYS, 'ENOSYS')),
  attack(
    'every other call',
    'not killed; EPERM only from the kernel: socket, socketpair, fchmod and setgroups with zeros',
    async (scene) => {
      const ends = await scene.ends(['calls-in-children', ...OTHERS.map(String)]);
      assert.deepEqual(Object.keys(ends).map(Number), OTHERS);
      for (const [number, end] of Object.entries(ends)) {
        assert.notEqual(end, 'SIGSYS', number);
        if (end === 'EPERM') assert.ok(EPERM_WITH_ZEROS.includes(Number(number)), number);
      }
    },
  ),
  probe(
    'every number of the x32 interface',
    ['calls', ...NUMBERS.map((number) => `${X32_BIT + number}`)],
    all(
      NUMBERS.map((number) => X32_BIT + number),
      'ENOSYS',
    ),
  ),
  attack('every number of the 32-bit interface', 'killed (SIGSYS or SIGSEGV)', async (scene) => {
    const ends = await scene.ends(['calls-by-interrupt', ...NUMBERS.map(String)]);
    assert.deepEqual(Object.keys(ends).map(Number), NUMBERS);
    // SIGSEGV: a kernel without that interface.
    for (const [number, end] of Object.entries(ends)) assert.match(String(end), /^SIG(SYS|SEGV)$/, number);
  }),
  probe(
    'new namespaces',
    ['new-namespaces'],
    all(
      NAMESPACES.flatMap((name) => [`clone ${name}`, `unshare ${name}`, `setns ${name}`]),
      'EPERM',
    ),
  ),
  probe(
    'clone3, whatever it is given',
    ['clone3'],
    all(['a bad pointer', 'no pointer', 'as fork'], 'ENOSYS'),
  ),
  attack(
    'sockets of every family',
    'EPERM, but for AF_UNIX, AF_INET and AF_INET6, and pairs of AF_UNIX; raw ones and packets EPERM',
    async (scene) => {
      const ends = await scene.ends(['sockets']);
      for (const family of FAMILIES) {
        const isUsual = [AF_UNIX, AF_INET, AF_INET6].includes(family);
        if (!isUsual) assert.equal(ends[`socket ${family}`], 'EPERM', `family ${family}`);
        assert.equal(
          ends[`socketpair ${family}`],
          family === AF_UNIX ? 'ok' : 'EPERM',
          `pair of family ${family}`,
        );
      }
      assert.equal(ends[`socket ${AF_UNIX}`], 'ok');
      assert.equal(ends[`socket ${AF_INET}`], 'ok');
      assert.equal(ends['raw'], 'EPERM');
      assert.equal(ends['packets by an old name'], 'EPERM');
    },
  ),
  probe('input pushed into a terminal', ['terminals'], {
    TIOCSTI: 'EPERM',
    TIOCLINUX: 'EPERM',
    'TIOCSTI with more bits': 'EPERM',
    'a terminal': 'ENOENT',
    'a new terminal': 'ENOENT',
  }),
  probe('personalities', ['personalities'], {
    'asked for': 'ok',
    'no randomisation': 'EPERM',
    'read implies execute': 'EPERM',
    '32 bits': 'EPERM',
  }),
  attack(
    'calls by other interfaces of the kernel',
    '32 bits: killed (SIGSYS or SIGSEGV); x32: ENOSYS',
    async (scene) => {
      const { '32 bits': by32bits, ...x32 } = await scene.ends(['other-interfaces']);
      // SIGSEGV: a kernel without that interface.
      assert.match(String(by32bits), /^SIG(SYS|SEGV)$/);
      assert.deepEqual(x32, all(['x32 getpid', 'x32 ptrace', 'x32 of a refused call'], 'ENOSYS'));
    },
  ),
  probe('confinement taken off again', ['locks'], {
    'no_new_privs off': 'EINVAL',
    'a filter off': 'EINVAL',
    securebits: 'EPERM',
    'an ambient capability': 'EPERM',
    'setuid 0': 'EINVAL',
    'setgid 0': 'EINVAL',
    setgroups: 'EPERM',
  }),
];
