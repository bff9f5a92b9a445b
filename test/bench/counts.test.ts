// The guard of bench/counts: what it makes of counts that differ from the baseline, of lines as strace prints them, and of
// the calls in a trace.
import assert from 'node:assert/strict';
import { type Counts, compare, explain, FIGURES } from '../../bench/counts/compare.js';
import { readTrace, type TraceEvent } from '../../bench/counts/strace-output.js';
import { tally } from '../../bench/counts/tally.js';

function counts(change: Record<string, number> = {}, launcherCalls: Record<string, number> = {}): Counts {
  const figures = Object.fromEntries(FIGURES.map(({ name }) => [name, 100]));
  return {
    figures: { ...figures, ...change },
    systemCalls: { node: {}, launcher: { read: 60, write: 40, ...launcherCalls }, sandbox: {} },
  };
}

function verdictOf(name: string, baseline: Counts, now: Counts): string | undefined {
  return compare(baseline, now).find((each) => each.name === name)?.verdict;
}

describe('counts against a baseline', () => {
  const CALLS = 'launcher: system calls';

  it('are the same within the tolerance, in both directions', () => {
    assert.equal(verdictOf(CALLS, counts(), counts({ [CALLS]: 110 })), 'same');
    assert.equal(verdictOf(CALLS, counts(), counts({ [CALLS]: 90 })), 'same');
    assert.equal(verdictOf(CALLS, counts({ [CALLS]: 2 }), counts({ [CALLS]: 3 })), 'same');
  });

  it('are worse above it', () => {
    assert.equal(verdictOf(CALLS, counts(), counts({ [CALLS]: 111 })), 'worse');
    assert.equal(verdictOf(CALLS, counts({ [CALLS]: 2 }), counts({ [CALLS]: 3.1 })), 'worse');
  });

  it('are better below it', () =>
    assert.equal(verdictOf(CALLS, counts(), counts({ [CALLS]: 89 })), 'better'));

  it('are new where the baseline has none', () => {
    const { [CALLS]: _calls, ...figures } = counts().figures;
    assert.equal(verdictOf(CALLS, { ...counts(), figures }, counts()), 'new');
  });

  it('must all have been measured', () => {
    const { [CALLS]: _calls, ...figures } = counts().figures;
    assert.throws(
      () => compare(counts(), { ...counts(), figures }),
      /"launcher: system calls" was not measured/,
    );
    assert.throws(() => compare(counts(), counts({ [CALLS]: Number.NaN })), /was not measured/);
  });

  it('are explained by the calls that changed, the largest change first', () => {
    const baseline = counts();
    const now = counts({ [CALLS]: 125 }, { write: 34, mmap: 21, futex: 9, read: 60.4 });
    assert.deepEqual(explain(compare(baseline, now), baseline, now), [
      'launcher: system calls: 125 per execution, worse than the 100 of the baseline: mmap +21, write −6',
    ]);
  });

  it('need no word when nothing changed', () => {
    assert.deepEqual(explain(compare(counts(), counts()), counts(), counts()), []);
  });
});

describe("strace's output", () => {
  it('gives a call, its thread and its result', () => {
    assert.deepEqual(readTrace('12235 read(0x19, 0x7f82bd57f630, 0x400) = 0x8\n'), [
      { thread: 12235, name: 'read', result: 8 },
    ]);
  });

  it('gives an error as -1', () => {
    const line =
      '13579 recvmsg(0x3, 0x7f24b41ffa30, 0x40000040) = -1 EAGAIN (Resource temporarily unavailable)';
    assert.deepEqual(readTrace(line), [{ thread: 13579, name: 'recvmsg', result: -1 }]);
  });

  it('joins a call that other threads interrupted, at the place where it began', () => {
    const trace = `13530 sendto(0x29, 0x7f82800f47f0, 0x1bd, 0x4040, 0, 0 <unfinished ...>
14055 setsid( <unfinished ...>
13393 epoll_pwait(0xe, 0x7fff3db20a10, 0x400, 0, 0, 0x8) = 0
14055 <... setsid resumed>)             = 0x1
13530 <... sendto resumed>)             = 0x1bd`;
    assert.deepEqual(readTrace(trace), [
      { thread: 13530, name: 'sendto', result: 0x1bd },
      { thread: 14055, name: 'setsid', result: 1 },
      { thread: 13393, name: 'epoll_pwait', result: 0 },
    ]);
  });

  it('knows calls that a signal ended, and signals', () => {
    const trace = `13579 ppoll(0x7f24b41ffb0c, 0x1, 0, 0x7f24b41ffc00, 0x8 <unfinished ...>
13579 <... ppoll resumed>)              = ? ERESTARTNOHAND (To be restarted if no handler)
13579 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=194, si_uid=65534, si_status=0} ---
13579 rt_sigreturn( <unfinished ...>
13579 <... rt_sigreturn resumed>)       = -1 EINTR (Interrupted system call)`;
    assert.deepEqual(readTrace(trace), [
      { thread: 13579, name: 'ppoll', result: undefined },
      { thread: 13579, name: 'rt_sigreturn', result: -1 },
    ]);
  });

  it('knows the end of a thread, by itself or by a signal', () => {
    const trace = `14055 exit_group(0)                     = ?
14055 +++ exited with 0 +++
14056 ppoll(0x7f24b41ff928, 0x1, 0, 0, 0x8 <unfinished ...>
14056 +++ killed by SIGKILL +++`;
    assert.deepEqual(readTrace(trace), [
      { thread: 14055, name: 'exit_group', result: undefined },
      { thread: 14055, ended: true },
      { thread: 14056, name: 'ppoll', result: undefined },
      { thread: 14056, ended: true },
    ]);
  });

  it('that cannot be read is an error, with the line', () => {
    assert.throws(
      () => readTrace('12235 something else'),
      /cannot read this line of strace's output.*something else/,
    );
  });
});

describe('a tally of system calls', () => {
  const MAIN = 1;
  const WORKER = 2;
  const LAUNCHER = 3;
  const call = (thread: number, name: string, result = 0): TraceEvent => ({ thread, name, result });
  const mark = call(MAIN, 'kill');

  /** A block of two executions. */
  function block(first: number): TraceEvent[] {
    return [first, first + 1].flatMap((sandbox) => [
      call(WORKER, 'sendto', 100),
      call(WORKER, 'epoll_pwait', 1),
      call(WORKER, 'futex'),
      call(LAUNCHER, 'clone', sandbox),
      call(sandbox, 'read', 100),
      call(sandbox, 'read', -1),
      call(sandbox, 'exit_group'),
      { thread: sandbox, ended: true as const },
    ]);
  }

  const roles = { mainThread: MAIN, threads: [MAIN, WORKER], launcher: LAUNCHER };
  const warmBefore = [call(9, 'setsid')];
  const warmAfter = [call(9, 'exit_group'), { thread: 9, ended: true as const }, call(99, 'setsid')];
  const cost = tally([...warmBefore, mark, ...block(10), mark, ...block(20), ...warmAfter, mark], roles, 2);

  it('is of one execution', () => {
    assert.deepEqual(cost.launcher, { systemCalls: 1, epollWaits: 0, bytesCopied: 0, byName: { clone: 1 } });
  });

  it('adds up bytes, and keeps apart what depends on timing', () => {
    const byName = { epoll_pwait: 1, futex: 1, sendto: 1 };
    assert.deepEqual(cost.node, { systemCalls: 1, epollWaits: 1, bytesCopied: 100, byName });
  });

  it('counts sandboxes whose whole life is in the trace', () => {
    const byName = { exit_group: 1, read: 2 };
    assert.deepEqual(cost.sandbox, { systemCalls: 3, epollWaits: 0, bytesCopied: 100, byName });
  });

  it('of a trace without marks is an error', () => {
    assert.throws(() => tally(block(10), roles, 2), /the trace has no blocks/);
  });
});
