/**
 * Every number from 0 to 600, by every interface of the machine, in the place of a runner that was taken over: its fate is what the
 * list says that the filter is made of. That the list says the right thing is held against a second one, written down here on purpose.
 */
import assert from 'node:assert/strict';
import { type AllowedCall, type RefusedCall, systemCallLists } from '../support/system-call-lists.js';
import { REFUSED, RESTRICTED } from './commands/calls.js';
import { withRunnersInEveryPlace } from './runner/places.js';

/** x86-64 numbers of the calls that a runner may make, with arguments that do no harm. */
const ALLOWED: Record<string, readonly [number: number, ...args: number[]]> = {
  read: [0, 3, 0, 0],
  write: [1, 2, 0, 0],
  close: [3, 0],
  rt_sigprocmask: [14, 0, 0, 0, 8],
  writev: [20, 2, 0, 0],
  setitimer: [38, 0, 0, 0],
  restart_syscall: [219],
  clock_gettime: [228, 0, 0],
  ppoll: [271, 0, 5, 0, 0], // more than its limit of descriptors: refused at once
  getrandom: [318, 0, 0, 0],
};
/** These end the process, or take its stack for a signal frame, and so have no result. */
const ALLOWED_WITHOUT_RESULT: Record<string, number> = { rt_sigreturn: 15, exit: 60, exit_group: 231 };

/** Let past every filter by Linux 6.14 and later: runner/calls.ts tries them. */
const PAST_EVERY_FILTER = [335, 336];

const NUMBERS = Array.from({ length: 601 }, (_, number) => number);
const X32_BIT = 0x4000_0000;
const HIGH_HALF = 2 ** 32;

const request = (number: number, ...args: readonly number[]): string => `call ${[number, ...args].join(' ')}`;

/** A call with that value for the argument that its entry is about. */
function withArgument({ number, argument = 0 }: AllowedCall, value: number): string {
  const args = [0, 0, 0];
  args[argument] = value;
  return request(number, ...args);
}

/** Values just beside those that are allowed, and ones with the same low or high bits. */
function wrongValues({ rule, values = [] }: AllowedCall): number[] {
  const [least = 0, greatest = 0] = [Math.min(...values), Math.max(...values)];
  const within = (value: number) =>
    rule === 'between' ? value >= least && value <= greatest : values.includes(value);
  return [least - 1, greatest + 1, -1, 0x7fff_ffff, 0x8000_0000 + greatest, 1024, HIGH_HALF - 1].filter(
    (value) => !within(value),
  );
}

const LISTS = systemCallLists();

describe('the list of what a runner may call', () => {
  it('is the one that is written down here', () => {
    const here = Object.entries({ ...ALLOWED, ...ALLOWED_WITHOUT_RESULT }).map(
      ([name, number]) => `${name} ${Array.isArray(number) ? number[0] : number}`,
    );
    assert.deepEqual(LISTS.runner.map(({ name, number }) => `${name} ${number}`).sort(), here.sort());
  });

  it('says of which descriptors, clocks and timers', () => {
    const conditions = LISTS.runner.flatMap(({ name, argument, rule, values }) =>
      rule === undefined ? [] : [[name, argument, rule, ...(values ?? [])]],
    );
    assert.deepEqual(conditions, [
      ['read', 0, 'one of', 3],
      ['write', 0, 'between', 1, 3],
      ['writev', 0, 'between', 1, 3],
      ['clock_gettime', 0, 'between', 0, 3],
      ['setitimer', 0, 'one of', 0],
    ]);
  });

  it('has no call that the zygote’s list has not, which is in force as well', () => {
    const zygote = new Map(LISTS.zygote.map((call) => [call.number, call]));
    for (const { name, number } of LISTS.runner) assert.equal(zygote.get(number)?.rule, undefined, name);
    for (const { name, number } of LISTS.runner) assert.ok(zygote.has(number), name);
  });

  it('has no way to a new namespace, file, process or mapping in what the zygote adds', () => {
    const added = [...LISTS.zygote, ...LISTS.preparation]
      .map(({ name }) => name)
      .filter((name) => !LISTS.runner.some((call) => call.name === name));
    assert.deepEqual(added.sort(), [
      ...['capset', 'clone', 'close_range', 'dup3', 'fcntl', 'getppid', 'madvise', 'prctl', 'prlimit64'],
      ...['recvmsg', 'seccomp', 'sendmsg', 'setpriority', 'setsid', 'wait4'],
    ]);
  });
});

describe('the list of what a command may not call', () => {
  const numbers = (calls: readonly RefusedCall[]) => calls.map(({ number }) => number).sort((a, b) => a - b);
  const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b);

  for (const error of ['EPERM', 'ENOSYS'] as const)
    it(`is the one that is written down for attacks by commands: ${error}`, () => {
      const always = LISTS.command.filter((call) => call.arguments === undefined && call.error === error);
      const known = REFUSED[error].filter((number) => number < LISTS.firstUnknown);
      assert.deepEqual(numbers(always), sorted(known));
    });

  it('has those that depend on arguments', () => {
    assert.deepEqual(
      numbers(LISTS.command.filter((call) => call.arguments !== undefined)),
      sorted(RESTRICTED),
    );
  });
});

withRunnersInEveryPlace('system calls of a runner that was taken over', (scene) => {
  it('lets through what the list says', async () => {
    const outcomes = await scene().outcomes(Object.values(ALLOWED).map((call) => request(...call)));
    for (const [index, name] of Object.keys(ALLOWED).entries()) {
      assert.equal(outcomes[index]?.end, 'code 0', name);
      assert.ok('result' in (outcomes[index]?.ends ?? {}), name);
    }
  });

  it('kills it for every other number from 0 to 600', async () => {
    const allowed = new Set([...LISTS.runner.map(({ number }) => number), ...PAST_EVERY_FILTER]);
    const numbers = NUMBERS.filter((number) => !allowed.has(number));
    assert.equal(numbers.length, 601 - 13 - 2);
    await scene().assertAllEnd(
      numbers.map((number) => request(number)),
      ['SIGSYS'],
    );
  });

  it('kills it for every number of the x32 interface', () =>
    scene().assertAllEnd(
      NUMBERS.map((number) => request(X32_BIT + number)),
      ['SIGSYS'],
    ));

  // SIGSEGV: a kernel without that interface.
  it('kills it for every number of the 32-bit interface', () =>
    scene().assertAllEnd(
      NUMBERS.map((number) => `int80 ${number}`),
      ['SIGSYS', 'SIGSEGV'],
    ));

  for (const call of LISTS.runner.filter(({ rule }) => rule !== undefined))
    it(`kills it for ${call.name} with another ${call.argumentName}`, () =>
      scene().assertAllEnd(
        wrongValues(call).map((value) => withArgument(call, value)),
        ['SIGSYS'],
      ));
});
