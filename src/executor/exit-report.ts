/** What a launcher reports of the end of a sandbox, as the members of a receipt. Must not know who wanted it. */
import { constants } from 'node:os';
import type { NativeExit } from './addon.js';
import type { ProcessUsage, SandboxOutcome } from './receipt.js';
import type { Traffic } from './sandbox-receipt.js';
import { signalName } from './system-error.js';

export interface ExitReport {
  outcome: SandboxOutcome;
  usage: ProcessUsage;
  traffic: Traffic;
}

function outcomeOf(waitStatus: number, canSignal: boolean): SandboxOutcome {
  const signal = waitStatus & 0x7f;
  if (signal === 0) return { kind: 'exited', code: (waitStatus >> 8) & 0xff };
  // Where nothing in the sandbox can signal, only the seccomp filter sends SIGSYS: the host sends SIGTERM and SIGKILL.
  if (signal === constants.signals.SIGSYS && !canSignal) return { kind: 'violation', signal: 'SIGSYS' };
  return { kind: 'signaled', signal: signalName(signal) };
}

/** `canSignal`: whether what ran could send itself a signal, as any command can and our runner cannot. */
export function exitReport(exit: NativeExit, { canSignal }: { canSignal: boolean }): ExitReport {
  const [
    lost,
    waitStatus,
    failedStep,
    failedErrno,
    cpuUserUs,
    cpuSystemUs,
    maxRssBytes,
    minorFaults,
    majorFaults,
    voluntaryContextSwitches,
    involuntaryContextSwitches,
    stderrBytes,
    bytesIn,
    bytesOut,
  ] = exit;
  return {
    outcome:
      lost === 1
        ? { kind: 'lost' }
        : failedStep !== 0
          ? { kind: 'spawn-failed', step: failedStep, errno: failedErrno }
          : outcomeOf(waitStatus, canSignal),
    usage: {
      cpuUserMs: cpuUserUs / 1000,
      cpuSystemMs: cpuSystemUs / 1000,
      maxRssBytes,
      minorFaults,
      majorFaults,
      voluntaryContextSwitches,
      involuntaryContextSwitches,
    },
    traffic: { bytesIn, bytesOut, stderrBytes },
  };
}
