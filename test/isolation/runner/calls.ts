/**
 * System calls by a runner that was taken over, with arguments with which they would do something. Numbers are x86-64's. That every
 * number is refused is the walk's to say (system-calls.test.ts); here are those that an attacker would want.
 */
import { killed, type RunnerAttack, says } from './attack.js';

const NAMESPACE_FLAGS = [
  0x1000_0000, // user
  0x2_0000, // mount
  0x2000_0000, // pid
  0x4000_0000, // network
  0x800_0000, // ipc
  0x400_0000, // uts
  0x200_0000, // cgroup
  0x80, // time
];
const SIGCHLD = 17;
const AT_FDCWD = -100;

/** A system call for each: its number and arguments, as native/probe/runner/main.c reads them. */
function callsOf(...calls: readonly (readonly (string | number)[])[]): string[] {
  return calls.map((words) => `call ${words.join(' ')}`);
}

export const CALL_ATTACKS: readonly RunnerAttack[] = [
  killed('new namespaces: clone, unshare, setns', [
    ...callsOf(...NAMESPACE_FLAGS.map((flag) => [56, flag | SIGCHLD])),
    ...callsOf(...NAMESPACE_FLAGS.map((flag) => [272, flag])),
    ...callsOf([308, 3, 0], [308, 0, 0x1000_0000]),
  ]),
  killed(
    'clone3, with a bad pointer, none, and a good one',
    callsOf([435, 1, 88], [435, 0, 88], [435, '#', 88]),
  ),
  killed('fork, vfork, a thread', callsOf([57], [58], [56, SIGCHLD], [56, 0x5_0f00, '#'])),
  killed('mount, umount2, pivot_root, chroot', [
    ...callsOf([165, '=none', '=/', '=tmpfs', 0, 0], [166, '=/', 2]),
    ...callsOf([155, '=.', '=.'], [161, '=/']),
  ]),
  killed('the newer mount calls', [
    ...callsOf([428, AT_FDCWD, '=/', 1], [429, 3, '=', AT_FDCWD, '=/', 4], [430, '=tmpfs', 0]),
    ...callsOf([431, 3, 6, 0, 0, 0], [432, 3, 0, 0], [433, AT_FDCWD, '=/', 0]),
    ...callsOf([442, AT_FDCWD, '=/', 0, '#', 32], [457, '#', '#', 512, 0], [458, '#', '#', 8, 0]),
  ]),
  killed(
    'sockets of every family from 0 to 45, and pairs of them',
    Array.from({ length: 46 }, (_, family) => callsOf([41, family, 1, 0], [53, family, 1, 0, '#'])).flat(),
  ),
  killed('connect, bind, listen, accept on what it has', [
    ...callsOf([42, 3, '#', 16], [49, 3, '#', 2], [50, 3, 1], [43, 3, 0, 0], [288, 3, 0, 0, 0]),
  ]),
  killed('other ways to use the bridge: recv, send, shutdown, options', [
    ...callsOf([45, 3, '#', 1, 0x40, 0, 0], [44, 3, '#', 1, 0x40, 0, 0], [48, 3, 2]),
    ...callsOf([54, 3, 1, 7, '#', 4], [55, 3, 1, 17, '#', '#'], [51, 3, '#', '#'], [52, 3, '#', '#']),
    ...callsOf([299, 3, '#', 1, 0x40, 0], [307, 3, '#', 1, 0x40]),
  ]),
  killed('a descriptor sent to the host (SCM_RIGHTS), and taken from it', [
    'sends-descriptor',
    'takes-descriptors',
  ]),
  killed('io_uring', callsOf([425, 8, '#'], [426, 3, 1, 1, 0, 0, 0], [427, 3, 0, '#', 1])),
  killed('splice, vmsplice, tee, sendfile, copy_file_range', [
    ...callsOf([275, 3, 0, 1, 0, 4096, 0], [278, 1, '#', 1, 0], [276, 3, 1, 4096, 0]),
    ...callsOf([40, 1, 0, 0, 4096], [326, 3, 0, 1, 0, 1, 0]),
  ]),
  killed(
    'bpf, perf_event_open, userfaultfd',
    callsOf([321, 5, '#', 128], [298, '#', 0, -1, -1, 0], [323, 0]),
  ),
  killed('ptrace, memory and descriptors of other processes', [
    ...callsOf([101, 16, 1], [101, 0], [310, 1, '#', 1, '#', 1, 0], [311, 1, '#', 1, '#', 1, 0]),
    ...callsOf([434, 1, 0], [438, 3, 0, 0], [312, 1, 2, 0, 0, 0], [440, 3, '#', 1, 4, 0]),
  ]),
  killed('keyrings', callsOf([248, '=user', '=x', '#', 1, -3], [249, '=user', '=x', 0, -3], [250, 0, -3])),
  killed('another program: memfd_create, execve, execveat', [
    ...callsOf([319, '=x', 0], [447, 0], [59, '=/bin/sh', 0, 0], [322, AT_FDCWD, '=/bin/sh', 0, 0, 0]),
    ...callsOf([322, 3, '=', 0, 0, 0x1000], [59, '=/proc/self/exe', 0, 0]),
  ]),
  killed('more memory, or memory of another kind', [
    ...callsOf([9, 0, 4096, 7, 0x22, -1, 0], [9, 0, 4096, 5, 0x22, -1, 0], [9, 0, 4096, 3, 0x22, -1, 0]),
    ...callsOf([10, '#', 4096, 7], [329, '#', 4096, 7, -1], [25, '#', 4096, 8192, 1, 0], [12, 0]),
    ...callsOf(
      [11, '#', 4096],
      [28, '#', 4096, 4],
      [216, '#', 4096, 0, 0, 0],
      [453, 0, 4096, 0],
      [462, '#', 4096, 0],
    ),
    ...callsOf([158, 0x1002, '#'], [149, '#', 4096], [325, '#', 4096, 1], [330, 0, 0]),
  ]),
  killed('files by handle', callsOf([303, AT_FDCWD, '=/', '#', '#', 0], [304, AT_FDCWD, '#', 0])),
  killed('personality, modify_ldt, iopl, ioperm', [
    ...callsOf(
      [135, 0x40_0000],
      [135, 0xffff_ffff],
      [154, 1, '#', 16],
      [154, 0, '#', 16],
      [172, 3],
      [173, 0x80, 1, 1],
    ),
  ]),
  killed('prctl: dumpable, parent-death signal, no_new_privs, speculation, name', [
    ...callsOf(
      [157, 4, 1],
      [157, 1, 0],
      [157, 38, 0],
      [157, 22, 0],
      [157, 53, 0, 2],
      [157, 15, '=x'],
      [157, 35, 8, '#'],
    ),
  ]),
  killed('another filter', callsOf([317, 1, 0, '#'], [317, 0, 0, 0], [317, 2, 0, '#'], [157, 22, 2, '#'])),
  killed('signals to the launcher, to siblings and to everybody', [
    ...callsOf([62, -1, 9], [62, 1, 9], [62, 0, 9], [200, 1, 9], [234, 1, 1, 9], [129, 1, 9, '#']),
    ...callsOf([297, 1, 1, 9, '#'], [424, 3, 9, 0, 0]),
  ]),
  killed('limits raised, its own and others’', [
    ...callsOf([302, 0, 7, '#', 0], [302, 1, 0, '#', 0], [302, 0, 7, 0, '#'], [160, 7, '#'], [97, 7, '#']),
  ]),
  killed('priority, affinity, scheduling, and the CPU given up', [
    ...callsOf(
      [141, 0, 0, -20],
      [203, 0, 8, '#'],
      [204, 0, 8, '#'],
      [144, 0, 1, '#'],
      [314, 0, '#', 0],
      [24],
    ),
    ...callsOf([251, 1, 0, 0], [142, 0, '#']),
  ]),
  killed('the machine’s clock, name, modules and power', [
    ...callsOf([227, 0, '#'], [164, '#', 0], [159, '#'], [305, 0, '#'], [170, '=x', 1], [171, '=x', 1]),
    ...callsOf(
      [175, '#', 16, '='],
      [313, 3, '=', 0],
      [176, '=x', 0],
      [246, 0, 0, '#', 0],
      [320, 3, 3, 0, 0, 0],
    ),
    ...callsOf([169, 0xfee1_dead, 672_274_793, 0], [167, '=/x', 0], [168, '=/x'], [163, 0], [103, 2, '#', 8]),
  ]),
  killed('a file by its name: absolute, by .., by /proc and by the bridge', [
    ...[
      '/etc/passwd',
      '../../../../etc/passwd',
      '/proc/self/mem',
      '/proc/1/root/etc/passwd',
      '/dev/mem',
    ].flatMap((path) => [
      ...callsOf([257, AT_FDCWD, `=${path}`, 0], [2, `=${path}`, 0]),
      `call 437 ${AT_FDCWD} =${path} # 24`,
    ]),
    ...callsOf([257, 3, '=..', 0x20_0000], [85, '=/x', 0o600], [257, AT_FDCWD, '=/', 0x41_0002, 0o600]),
  ]),
  killed('names: links, renames, directories, modes, owners, attributes', [
    ...callsOf(
      [82, '=/a', '=/b'],
      [316, -100, '=/a', -100, '=/b', 2],
      [86, '=/a', '=/b'],
      [88, '=/a', '=/b'],
      [87, '=/a'],
    ),
    ...callsOf(
      [83, '=/a', 0o777],
      [84, '=/a'],
      [90, '=/', 0o777],
      [92, '=/', 0, 0],
      [188, '=/', '=user.x', '#', 1, 0],
    ),
    ...callsOf(
      [76, '=/a', 0],
      [133, '=/a', 0o20666, 0x103],
      [280, -100, '=/', 0, 0],
      [80, '=/'],
      [81, 3],
      [79, '#', 64],
    ),
  ]),
  killed('what is where: stat, access, readlink, getdents, statfs', [
    ...callsOf(
      [4, '=/', '#'],
      [5, 3, '#'],
      [6, '=/', '#'],
      [262, -100, '=/', '#', 0],
      [332, -100, '=/', 0, 0xfff, '#'],
    ),
    ...callsOf(
      [21, '=/', 0],
      [89, '=/proc/self/exe', '#', 64],
      [217, 3, '#', 64],
      [137, '=/', '#'],
      [138, 3, '#'],
    ),
  ]),
  killed('descriptors made of those that it has, and what they are', [
    ...callsOf(
      [32, 3],
      [33, 3, 0],
      [292, 3, 9, 0],
      [72, 3, 0, 4],
      [72, 3, 1030, 4],
      [72, 3, 4, 0],
      [436, 0, 2, 0],
    ),
    ...callsOf(
      [16, 3, 0x5421, '#'],
      [16, 1, 0x5412, '#'],
      [16, 0, 0x541c, '#'],
      [17, 3, '#', 1, 0],
      [19, 3, '#', 1],
    ),
    ...callsOf(
      [22, '#'],
      [293, '#', 0],
      [284, 0],
      [290, 0, 0],
      [213, 1],
      [233, 3, 1, 3, '#'],
      [8, 3, 0, 0],
      [77, 1, 0],
    ),
  ]),
  killed('watching others: inotify, fanotify, signalfd', [
    ...callsOf(
      [253],
      [294, 0],
      [254, 3, '=/', 0xfff],
      [300, 0, 0],
      [301, 3, 1, 1, -100, '=/'],
      [289, -1, '#', 8, 0],
    ),
  ]),
  killed('memory, messages and semaphores that processes share', [
    ...callsOf(
      [29, 0, 4096, 0o1666],
      [30, 0, 0, 0],
      [68, 1, 0o1666],
      [64, 1, 1, 0o1666],
      [240, '=/x', 0x42, 0o600, 0],
    ),
  ]),
  killed('other identities, and capabilities', [
    ...callsOf(
      [105, 0],
      [106, 0],
      [117, 0, 0, 0],
      [119, 0, 0, 0],
      [122, 0],
      [123, 0],
      [116, 0, '#'],
      [126, '#', '#'],
    ),
    ...callsOf([112], [109, 0, 0], [125, '#', '#']),
  ]),
  killed('other clocks and timers: POSIX timers, timerfd, alarm, sleeping', [
    ...callsOf(
      [222, 0, 0, '#'],
      [283, 1, 0],
      [37, 1],
      [35, '#', 0],
      [230, 0, 0, '#', 0],
      [201, 0],
      [96, '#', 0],
    ),
    ...callsOf([229, 0, '#'], [36, 0, '#'], [100, '#']),
  ]),
  killed('signal handlers and stacks of its own', [
    ...callsOf([13, 11, '#', 0, 8], [131, '#', 0], [130, '#', 8], [34], [128, '#', 0, 0, 8], [127, '#', 8]),
  ]),
  killed('futex, membarrier, rseq, robust lists', [
    ...callsOf(
      [202, '#', 1, 1, 0, 0, 0],
      [324, 8, 0, 0],
      [334, '#', 32, 0, 0],
      [273, '#', 24],
      [274, 0, '#', '#'],
    ),
    ...callsOf([218, '#'], [449, '#', 1, 0, 0, 0], [454, '#', 1, 1, 0]),
  ]),
  killed('who and where it is', [
    ...callsOf(
      ...[39, 186, 110, 111, 102, 104, 107, 108, 120, 118, 115, 95].map((number) => [number, '#', '#', '#']),
    ),
    ...callsOf([63, '#'], [99, '#'], [98, 0, '#'], [309, '#', '#', 0], [140, 0, 0], [124, 0], [121, 0]),
  ]),
  killed('Landlock and its own rules', callsOf([444, '#', 8, 0], [446, 3, 0], [445, 3, 1, '#', 0])),
  killed('waiting for children, and traps of others', callsOf([61, -1, 0, 1, 0], [247, 0, 0, '#', 4, 0])),
  {
    name: 'uretprobe and uprobe, which newer kernels let past every filter',
    end: 'killed (SIGSYS or SIGILL), and killed or ENXIO',
    attempt: async (scene) => {
      await scene.assertAllEnd(['call 335'], ['SIGSYS', 'SIGILL']);
      const { end, ends } = await scene.outcome('call 336');
      if (end !== 'SIGSYS' && ends['result'] !== 'ENXIO')
        throw new Error(`uprobe: ${end}, ${ends['result']}`);
    },
  },
  // Calls that it has, with arguments that it may not give them.
  killed(
    'read from anything but the bridge',
    callsOf(...[0, 1, 2, 4, 1023, -1].map((fd) => [0, fd, '#', 1])),
  ),
  killed('write and writev to anything but diagnostics and the bridge', [
    ...callsOf(
      ...[0, 4, 1023, -1].flatMap((fd) => [
        [1, fd, '#', 1],
        [20, fd, '#', 1],
      ]),
    ),
  ]),
  killed('clocks: raw, boot, and those of processes and descriptors', [
    // ~pid << 3 | 2 is a clock of a process, ~fd << 3 | 3 of a descriptor.
    ...callsOf(...[4, 5, 6, 7, 8, 9, 11, -6, -1, -14, -29, 0x8000_0000].map((clock) => [228, clock, '#'])),
  ]),
  killed('interval timers of CPU time', callsOf([38, 1, '#'], [38, 2, '#'], [38, -1, '#'])),
  says(
    'arguments with more bits than the kernel looks at',
    'calls 228 0x100000000 # / 38 0x100000000 0 0 / 1 0x100000002 # 0',
    { 228: 'ok', 38: 'ok', 1: 'ok' },
    'taken for what the kernel takes them for: ok',
  ),
  says('restart_syscall, with nothing to restart', 'call 219', { result: 'EINTR' }),
];
