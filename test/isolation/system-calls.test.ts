/**
 * A runner that was taken over, after the last confinement step: every system call but those of the allow-list kills it.
 * The expectations here are written down a second time on purpose, apart from the list that the filter is made of.
 */
import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { NativeExit } from '../../src/executor/addon.js';
import { Launcher } from '../../src/executor/launcher.js';

const PROBE = fileURLToPath(new URL('../../build/Release/probe-launcher', import.meta.url));

const CEILINGS = {
  memoryBytes: 1,
  stackBytes: 1,
  timeoutMs: 1,
  cpuMs: 1,
  maxToolCalls: 1,
  maxConcurrentToolCalls: 1,
  maxFrameBytes: 1,
  maxResultBytes: 1,
  maxLogBytes: 1,
};

/** x86-64 numbers of the calls that a runner may make, with arguments that do no harm. */
const ALLOWED: Record<string, [number: number, ...args: number[]]> = {
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
const ALLOWED_WITHOUT_RESULT = { rt_sigreturn: 15, exit: 60, exit_group: 231 };

/**
 * Linux 6.14 and later let these two past every seccomp filter (`uretprobe`, `uprobe`). They do nothing outside of a probe
 * that a privileged tracer set: the first ends in SIGILL, the second in ENXIO.
 */
const PAST_EVERY_FILTER = { uretprobe: 335, uprobe: 336 };

const LAST_NUMBER = 600;
const X32_BIT = 0x4000_0000;
const IN_FLIGHT = 8;

type End = { killedBy: string } | { result: bigint } | { exited: number };

/** What became of one call. */
async function attempt(launcher: Launcher, number: number, args: number[] = []): Promise<End> {
  const request = Buffer.alloc(7 * 8);
  request.writeBigInt64LE(BigInt(number), 0);
  for (const [index, value] of args.entries()) request.writeBigInt64LE(BigInt(value), 8 * (index + 1));
  const output: Buffer[] = [];
  const [, waitStatus] = await new Promise<NativeExit>((resolve, reject) => {
    const sandbox = launcher.spawn({
      spawned: () => launcher.write(sandbox, request),
      spawnFailed: reject,
      data: (chunk) => output.push(chunk),
      end() {},
      diagnostics() {},
      exited: resolve,
    });
  });
  const signal = waitStatus & 0x7f;
  if (signal === constants.signals.SIGSYS) return { killedBy: 'SIGSYS' };
  if (signal !== 0) return { killedBy: `signal ${signal}` };
  const bytes = Buffer.concat(output);
  return bytes.length === 8 ? { result: bytes.readBigInt64LE() } : { exited: waitStatus >> 8 };
}

/** What the sandboxes have of namespaces, by backend and isolation. */
const LAUNCHERS = {
  'namespaces backend, isolation default': 'shared',
  'namespaces backend, isolation strict': 'own',
  'seccomp backend': 'none',
} as const;

for (const [name, namespaces] of Object.entries(LAUNCHERS)) {
  describe(`system calls of a runner that was taken over, ${name}`, () => {
    let launcher: Launcher;
    before(async () => {
      assert.equal(process.arch, 'x64', 'the numbers here are those of x86-64');
      launcher = await Launcher.start({
        executable: PROBE,
        namespaces,
        ceilings: CEILINGS,
        diagnosticsLimit: 0,
        onExit() {},
      });
      launcher.hold();
    });
    after(async () => {
      launcher.release();
      await launcher.close();
    });

    async function assertAllDie(numbers: number[], args: number[] = []): Promise<void> {
      const survivors: string[] = [];
      const queue = [...numbers];
      await Promise.all(
        Array.from({ length: IN_FLIGHT }, async () => {
          for (let number = queue.pop(); number !== undefined; number = queue.pop()) {
            const end = await attempt(launcher, number, args);
            if (!('killedBy' in end && end.killedBy === 'SIGSYS'))
              survivors.push(`${number}: ${Object.values(end)}`);
          }
        }),
      );
      assert.deepEqual(survivors, []);
    }

    for (const [name, [number, ...args]] of Object.entries(ALLOWED)) {
      it(`lets ${name} through`, async () => {
        const end = await attempt(launcher, number, args);
        assert.ok(
          'result' in end,
          JSON.stringify(end, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
        );
      });
    }

    it('lets it exit', async () => {
      assert.deepEqual(await attempt(launcher, ALLOWED_WITHOUT_RESULT.exit_group, [7]), { exited: 7 });
      assert.deepEqual(await attempt(launcher, ALLOWED_WITHOUT_RESULT.exit, [8]), { exited: 8 });
    });

    it(`kills it for every other number from 0 to ${LAST_NUMBER}`, async () => {
      const allowed = new Set([
        ...Object.values(ALLOWED).map(([number]) => number),
        ...Object.values(ALLOWED_WITHOUT_RESULT),
        ...Object.values(PAST_EVERY_FILTER),
      ]);
      const numbers = Array.from({ length: LAST_NUMBER + 1 }, (_, number) => number);
      await assertAllDie(numbers.filter((number) => !allowed.has(number)));
    });

    it('gives it nothing by the two calls that newer kernels let past every filter', async () => {
      const dies = { killedBy: 'SIGSYS' };
      const uretprobe = await attempt(launcher, PAST_EVERY_FILTER.uretprobe);
      if (!isDeepStrictEqual(uretprobe, dies))
        assert.deepEqual(uretprobe, { killedBy: `signal ${constants.signals.SIGILL}` });
      const uprobe = await attempt(launcher, PAST_EVERY_FILTER.uprobe);
      if (!isDeepStrictEqual(uprobe, dies))
        assert.deepEqual(uprobe, { result: BigInt(-constants.errno.ENXIO) });
    });

    it('kills it for the same calls by the x32 interface', async () => {
      await assertAllDie(Object.values(ALLOWED).map(([number]) => number + X32_BIT));
    });

    it('kills it for reading from another descriptor than the bridge', () => assertAllDie([0], [0]));
    it('kills it for writing to the null device', () => assertAllDie([1, 20], [0]));
    it('kills it for writing to a descriptor that it does not have', () => assertAllDie([1, 20], [4]));
    it('kills it for a clock that is none of the four', () => assertAllDie([228], [11]));
    it('kills it for an interval timer of CPU time', () => assertAllDie([38], [2]));
  });
}
