/**
 * What one execution came to, from the two who saw it: the session, which knows what the runner said, and the executor,
 * which knows what the kernel reported. A success needs both, and everything in order; a failure needs no more than
 * one. Pure; must not know frames or processes.
 */
import type { SessionOutcome } from '../../bridge/host-session.js';
import type { BridgeError } from '../../bridge/protocol.js';
import type { SandboxEnd } from '../../executor/sandbox.js';
import type { RunReport } from '../messages.js';
import type { RunError } from '../run-result.js';
import { spawnProblem } from './failures.js';

/** Characters of the diagnostics that are quoted in a message. */
const MAX_DIAGNOSTICS_LENGTH = 300;

/** What a runner exits with that could send no terminal frame; as code-bridge-v1 has it. */
const COULD_NOT_SEND = 1;

/** What the host itself had to do with the end. */
export interface HostAction {
  /** The sandbox was killed because its wall limit was long over. */
  deadlineMissed: boolean;
  /** The wall limit was over when the sandbox had said its last word. */
  deadlinePassed: boolean;
  /** The sandbox was killed because it did not exit after its last word. */
  exitMissed: boolean;
  /** The run was cancelled from the main thread. */
  cancelled: boolean;
  timeoutMs: number;
}

export function verdict(session: SessionOutcome, end: SandboxEnd, host: HostAction): RunReport['outcome'] {
  if (session.kind === 'violation') return failed({ kind: 'violation', message: session.message });
  switch (end.outcome.kind) {
    case 'violation':
      return failed({
        kind: 'violation',
        message: `The sandboxed process made a system call that it may not make, and was killed (${
          end.outcome.signal ?? 'SIGSYS'
        }).`,
      });
    case 'lost':
      return {
        kind: 'failure',
        failure: { kind: 'lost', reason: end.receipt.reason ?? 'the launcher of its sandbox ended' },
      };
    case 'spawn-failed':
      return { kind: 'failure', failure: { kind: 'unavailable', missing: [spawnProblem(describeEnd(end))] } };
  }
  if (session.kind === 'error') return failed(runError(session.error));
  if (session.kind === 'none') return failed(withoutTerminalFrame(session.partialFrame, end, host));
  if (host.exitMissed) {
    return failed({ kind: 'crashed', message: 'The runner did not exit after its result, and was killed.' });
  }
  if (end.outcome.kind !== 'exited' || end.outcome.code !== 0) {
    return failed({
      kind: 'crashed',
      message: `The runner reported a result, and then ${describeEnd(end)}.`,
    });
  }
  if (end.receipt.state !== 'complete') {
    const reason = end.receipt.reason ?? 'no reason was given';
    return failed({ kind: 'internal', message: `The result has no complete receipt: ${reason}.` });
  }
  return session.resultText === undefined
    ? { kind: 'value' }
    : { kind: 'value', valueText: session.resultText };
}

function failed(error: RunError): RunReport['outcome'] {
  return { kind: 'error', error };
}

function withoutTerminalFrame(partialFrame: boolean, end: SandboxEnd, host: HostAction): RunError {
  if (host.cancelled) return { kind: 'cancelled', message: 'The run was cancelled, and its sandbox killed.' };
  if (host.deadlineMissed) {
    return {
      kind: 'timeout',
      message: `The program did not end at its limit of ${host.timeoutMs} ms, and its sandbox was killed.`,
    };
  }
  if (host.deadlinePassed && end.outcome.kind === 'exited' && end.outcome.code === COULD_NOT_SEND) {
    return {
      kind: 'timeout',
      message:
        `The program did not end at its limit of ${host.timeoutMs} ms. What it said then was not read in time: ` +
        'this process, or the machine, is too busy.',
    };
  }
  if (host.exitMissed) {
    return {
      kind: 'crashed',
      message: 'The runner closed its channel without a result, did not exit, and was killed.',
    };
  }
  const where = partialFrame ? ' in the middle of a frame' : '';
  return { kind: 'crashed', message: `The runner ended without a result${where}: it ${describeEnd(end)}.` };
}

/** As in "it …". What the process wrote to its diagnostics is part of it, bounded: that is where a runner explains itself. */
function describeEnd({ outcome, diagnostics }: SandboxEnd): string {
  const said = diagnostics.trim().slice(0, MAX_DIAGNOSTICS_LENGTH);
  return said === '' ? describeOutcome(outcome) : `${describeOutcome(outcome)} (it wrote: ${said})`;
}

function describeOutcome(outcome: SandboxEnd['outcome']): string {
  switch (outcome.kind) {
    case 'exited':
      return `exited with code ${outcome.code}`;
    case 'spawn-failed':
      return `could not be confined: step ${outcome.step} failed with errno ${outcome.errno}`;
    default:
      return `was killed by ${outcome.signal ?? 'an unknown signal'}`;
  }
}

function runError(error: BridgeError): RunError {
  const { kind, message, name, code, stack, path, position } = error;
  return {
    kind,
    message,
    ...(name !== undefined && { name }),
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
    ...(path !== undefined && { path }),
    // The source line is added by whoever has the source.
    ...(position !== undefined && { position: { ...position, sourceLine: '' } }),
  };
}
