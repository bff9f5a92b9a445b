/** `ok: true` needs everything in order: each thing that is not, alone, must be enough to deny it. */
import assert from 'node:assert/strict';
import type { SessionOutcome } from '../../src/bridge/host-session.js';
import type { SandboxEnd } from '../../src/executor/sandbox.js';
import { type HostAction, verdict } from '../../src/pool/worker/verdict.js';

const VALUE: SessionOutcome = { kind: 'value', resultText: '42', metrics: { elapsedMs: 1, toolCalls: 0 } };
const SILENT: SessionOutcome = { kind: 'none', partialFrame: false };
const NOTHING: HostAction = {
  deadlineMissed: false,
  deadlinePassed: false,
  exitMissed: false,
  cancelled: false,
  timeoutMs: 100,
};

function end(outcome: SandboxEnd['outcome'], receipt: Partial<SandboxEnd['receipt']> = {}): SandboxEnd {
  return {
    outcome,
    // Only what the verdict looks at.
    receipt: { state: 'complete', ...receipt } as SandboxEnd['receipt'],
    cpuMs: 1,
    peakRssBytes: 1,
    diagnostics: '',
    forcedStop: false,
    containmentConfirmed: true,
  };
}

const EXITED = end({ kind: 'exited', code: 0 });

describe('pool: the verdict on an execution', () => {
  it('is a success when all is in order', () => {
    assert.deepEqual(verdict(VALUE, EXITED, NOTHING), { kind: 'value', valueText: '42' });
  });

  it('has no text for undefined', () => {
    assert.deepEqual(verdict({ ...VALUE, resultText: undefined }, EXITED, NOTHING), { kind: 'value' });
  });

  const failures: [string, SessionOutcome, SandboxEnd, Partial<HostAction>, string, RegExp][] = [
    ['a protocol violation', { kind: 'violation', message: 'a NUL' }, EXITED, {}, 'violation', /a NUL/],
    [
      'a blocked system call after a result',
      VALUE,
      end({ kind: 'violation', signal: 'SIGSYS' }),
      {},
      'violation',
      /SIGSYS/,
    ],
    [
      'another exit code after a result',
      VALUE,
      end({ kind: 'exited', code: 1 }),
      {},
      'crashed',
      /exited with code 1/,
    ],
    [
      'a signal after a result',
      VALUE,
      end({ kind: 'signaled', signal: 'SIGSEGV' }),
      {},
      'crashed',
      /SIGSEGV/,
    ],
    [
      'no exit after a result',
      VALUE,
      end({ kind: 'signaled', signal: 'SIGKILL' }),
      { exitMissed: true },
      'crashed',
      /did not exit/,
    ],
    [
      'no complete receipt',
      VALUE,
      end({ kind: 'exited', code: 0 }, { state: 'unavailable', reason: 'why' }),
      {},
      'internal',
      /why/,
    ],
    [
      'no terminal frame',
      SILENT,
      end({ kind: 'signaled', signal: 'SIGSEGV' }),
      {},
      'crashed',
      /killed by SIGSEGV/,
    ],
    [
      'half a terminal frame',
      { kind: 'none', partialFrame: true },
      EXITED,
      {},
      'crashed',
      /middle of a frame/,
    ],
    [
      'a missed deadline',
      SILENT,
      end({ kind: 'signaled', signal: 'SIGKILL' }),
      { deadlineMissed: true },
      'timeout',
      /100 ms/,
    ],
    [
      'a runner that found nobody to tell of its deadline',
      { kind: 'none', partialFrame: true },
      end({ kind: 'exited', code: 1 }),
      { deadlinePassed: true },
      'timeout',
      /limit of 100 ms.* not read in time/,
    ],
    [
      'a runner that found nobody to tell, before its deadline',
      { kind: 'none', partialFrame: true },
      end({ kind: 'exited', code: 1 }),
      {},
      'crashed',
      /middle of a frame: it exited with code 1/,
    ],
    [
      'a signal after the deadline that the host did not send',
      SILENT,
      end({ kind: 'signaled', signal: 'SIGSEGV' }),
      { deadlinePassed: true },
      'crashed',
      /killed by SIGSEGV/,
    ],
    [
      'a cancellation',
      SILENT,
      end({ kind: 'signaled', signal: 'SIGKILL' }),
      { cancelled: true },
      'cancelled',
      /cancelled/,
    ],
    [
      'a closed channel and no exit',
      SILENT,
      end({ kind: 'signaled', signal: 'SIGKILL' }),
      { exitMissed: true },
      'crashed',
      /closed/,
    ],
  ];
  for (const [what, session, sandbox, host, kind, message] of failures) {
    it(`is ${kind} for ${what}`, () => {
      const outcome = verdict(session, sandbox, { ...NOTHING, ...host });
      assert.ok(outcome.kind === 'error');
      assert.equal(outcome.error.kind, kind);
      assert.match(outcome.error.message, message);
    });
  }

  it('is what the runner said when it reported a failure, however it ended', () => {
    const error = { kind: 'javascript' as const, message: 'm', position: { line: 1, column: 2 } };
    const session: SessionOutcome = { kind: 'error', error, metrics: { elapsedMs: 1, toolCalls: 0 } };
    const outcome = verdict(session, end({ kind: 'signaled', signal: 'SIGKILL' }), NOTHING);
    assert.ok(outcome.kind === 'error');
    assert.equal(outcome.error.message, 'm');
    assert.equal(outcome.error.position?.column, 2);
  });

  it('keeps the code of an error that the runner names', () => {
    const error = { kind: 'javascript' as const, message: 'm', name: 'Error', code: 'NOT_FOUND' };
    const session: SessionOutcome = { kind: 'error', error, metrics: { elapsedMs: 1, toolCalls: 0 } };
    const outcome = verdict(session, EXITED, NOTHING);
    assert.equal(outcome.kind === 'error' && outcome.error.code, 'NOT_FOUND');
  });

  it('is no outcome at all when the launcher was lost', () => {
    const outcome = verdict(VALUE, end({ kind: 'lost' }), NOTHING);
    assert.deepEqual(outcome.kind === 'failure' && outcome.failure.kind, 'lost');
  });

  it('is no outcome at all when the sandbox could not be confined', () => {
    const outcome = verdict(SILENT, end({ kind: 'spawn-failed', step: 3, errno: 1 }), NOTHING);
    assert.deepEqual(outcome.kind === 'failure' && outcome.failure.kind, 'unavailable');
  });
});
