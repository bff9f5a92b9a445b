/** Other ways into the kernel than the system call of 64 bits, and instructions that are the kernel's. */
import { killed, type RunnerAttack, says } from './attack.js';

/** What a processor, or a kernel without the interface, does instead of asking the filter. */
const NO_SUCH_WAY = ['SIGSYS', 'SIGSEGV', 'SIGILL'];

const MMAP_OF_32_BITS = 192;
const EXECVE_OF_32_BITS = 11;

const instructions = (...names: string[]): string[] => names.map((name) => `instruction ${name}`);

export const ENTRY_ATTACKS: readonly RunnerAttack[] = [
  killed(
    'the interface of 32 bits, by int $0x80',
    [`int80 ${MMAP_OF_32_BITS} 0 4096 7 0x22`, `int80 ${EXECVE_OF_32_BITS}`, 'int80 4 2 0 0', 'int80 1 0'],
    NO_SUCH_WAY,
  ),
  killed('the interface of 32 bits, by sysenter', ['sysenter 20', 'sysenter 1'], NO_SUCH_WAY),
  killed('code of 32 bits, by a far return to its segment', ['to-32-bits'], ['SIGSEGV']),
  killed(
    'the x32 interface: its own numbers, and those of what it may call',
    [0, 1, 3, 20, 228, 231, 512, 520, 521, 534, 545].map((number) => `call ${0x4000_0000 + number} 2 # 0`),
  ),
  killed('numbers that are negative, or have more bits than 32', [
    'call -1',
    'call 0xffffffff',
    'call 0x7fffffff',
    'call 0x8000000000000009',
    'call 0x100000009',
  ]),
  killed(
    'the page of vsyscalls: gettimeofday, time, getcpu',
    ['vsyscall 0xffffffffff600000', 'vsyscall 0xffffffffff600400', 'vsyscall 0xffffffffff600800'],
    ['SIGSYS', 'SIGSEGV'],
  ),
  killed('instructions for the machine: hlt, cli, in, out', instructions('hlt', 'cli', 'in', 'out'), [
    'SIGSEGV',
  ]),
  killed(
    'registers of the kernel: MSRs, CR4, DR7, GDTR, GS base',
    instructions('rdmsr', 'wrmsr', 'mov-from-cr4', 'mov-to-dr7', 'lgdt', 'swapgs'),
    ['SIGSEGV'],
  ),
  killed(
    'the way back from the kernel: sysret, invd, a segment of the kernel',
    instructions('sysret', 'invd', 'mov-to-ss'),
    ['SIGSEGV'],
  ),
  killed('gates of the interrupt table', instructions('int-0x81', 'int-0x0e'), ['SIGSEGV']),
  killed('breakpoints and single steps, with nobody to debug it', instructions('int3', 'popf-trap'), [
    'SIGTRAP',
  ]),
  killed('an instruction that is none', instructions('ud2'), ['SIGILL']),
  says(
    'flags: privilege for ports, interrupts off',
    'flags',
    { 'privilege for ports': 0, interrupts: 1 },
    'unchanged',
  ),
  says('the processor’s own clock', 'clock', { 'time stamps': 'count' }, 'not withheld: a limit'),
];
