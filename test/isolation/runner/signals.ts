/** Signal frames that no signal made, timers, signals that are blocked, descriptors given up: what it can do with the calls it has. */
import assert from 'node:assert/strict';
import { killed, type RunnerAttack, says } from './attack.js';

const CODE = 0x33;
const STACK = 0x2b;
const PLAIN_FLAGS = 0x202;

/** Every signal but the two that nobody can block. */
const ALL_BLOCKED = 'fffffffffffbfeff';

const frame = (code: number, stack: number, flags: number, address: number | string = 0): string =>
  `forged-frame ${code} ${stack} ${flags} ${address}`;

const LANDED = {
  'privilege for ports': 0,
  'nested task': 0,
  'virtual 8086': 0,
  interrupts: 1,
  mask: 'ok',
  blocked: ALL_BLOCKED,
};

export const SIGNAL_ATTACKS: readonly RunnerAttack[] = [
  says(
    'a forged signal frame: flags of the kernel (IOPL, NT, VM, interrupts off)',
    frame(CODE, STACK, 0x2_7000),
    LANDED,
    'flags unchanged',
  ),
  killed('a forged signal frame: segments of 32 bits', [frame(0x23, STACK, PLAIN_FLAGS)], ['SIGSEGV']),
  killed(
    'a forged signal frame: segments of the kernel',
    [frame(0x10, 0x18, PLAIN_FLAGS), frame(CODE, 0x18, PLAIN_FLAGS), frame(0, 0, PLAIN_FLAGS)],
    ['SIGSEGV'],
  ),
  killed(
    'a forged signal frame: an address of the kernel, and one that is none',
    [
      frame(CODE, STACK, PLAIN_FLAGS, '0xffffffff81000000'),
      frame(CODE, STACK, PLAIN_FLAGS, '0x8000000000000000'),
    ],
    ['SIGSEGV'],
  ),
  killed('an empty signal frame', ['empty-frame'], ['SIGSEGV']),
  says(
    'a storm of signals by its timer',
    'storm',
    { setitimer: 'ok', afterwards: 'goes on' },
    'goes on, and ends',
  ),
  says('a timer that is due after its end', 'timer-left', { setitimer: 'ok' }, 'ends'),
  {
    name: 'every signal blocked: it is killed all the same',
    end: 'killed (SIGKILL)',
    async attempt(scene) {
      const running = await scene.start('blocked');
      running.sendSignal('SIGTERM');
      running.sendSignal('SIGKILL');
      assert.equal((await running.ended).end, 'SIGKILL');
    },
  },
  says(
    'descriptors from 0 to 1023',
    'descriptors',
    { open: '0 1 2 3', 'not answered': 0 },
    '0 to 3 are open',
  ),
  says(
    'descriptors given up, and used',
    'closed',
    {
      'close 0': 'ok',
      'close 1': 'ok',
      'close 2': 'ok',
      'write 1': 'EBADF',
      'write 2': 'EBADF',
      'close of one that never was': 'EBADF',
    },
    'EBADF',
  ),
  {
    name: 'a megabyte that is no frame, to its host',
    end: 'delivered as bytes; the protocol is the host’s to check',
    async attempt(scene) {
      const { end } = await scene.outcome('floods 1000000');
      assert.equal(end, 'code 0');
    },
  },
  {
    name: 'its exit code, as exit and exit_group have it',
    end: 'reported as it is',
    async attempt(scene) {
      const outcomes = await scene.outcomes(['end 60 8', 'end 231 7', 'end 231 125', 'end 231 -1']);
      assert.deepEqual(
        outcomes.map(({ end }) => end),
        ['code 8', 'code 7', 'code 125', 'code 255'],
      );
    },
  },
];
