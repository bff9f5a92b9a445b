/** Which of its limits ended a command, or some of it, from what this process did and what the kernel counted. Pure. */
import type { CheckedLimits } from '../process-limits.js';
import type { CgroupUsage, Receipt } from '../receipt.js';
import type { EndReport } from './receipt.js';

export interface End {
  /** Limits of time for which this process stopped it. */
  stoppedFor: ReadonlySet<'wallMs' | 'cpuMs'>;
  /** Whether this process sent SIGKILL, for whatever reason. */
  wasForced: boolean;
  report: EndReport;
  used: CgroupUsage | undefined;
}

/** By name. Of a limit that makes calls fail and ends nothing, nobody knows whether it was reached. */
export function limitsReached(limits: CheckedLimits, end: End): NonNullable<Receipt['limitsReached']> {
  const reached: string[] = [...end.stoppedFor];
  if (!end.stoppedFor.has('cpuMs') && wasEndedForCpu(limits, end)) reached.push('cpuMs');
  if (wasEndedForMemory(limits, end)) reached.push('memoryBytes');
  return reached;
}

/**
 * A resource limit counts whole seconds, at which it sends SIGXCPU, and SIGKILL a second later. It counts by ticks: of 1,000 ms, `usage`,
 * which is exact, was seen to have 906. Who sends itself the signal has used next to nothing.
 */
function wasEndedForCpu({ cpuMs }: CheckedLimits, { report, wasForced }: End): boolean {
  if (cpuMs === undefined) return false;
  const { outcome, usage } = report;
  const limitMs = Math.ceil(cpuMs / 1000) * 1000;
  const usedMs = usage.cpuUserMs + usage.cpuSystemMs;
  if (outcome.signal === 'SIGXCPU') return usedMs >= limitMs / 2;
  return outcome.signal === 'SIGKILL' && !wasForced && usedMs >= limitMs;
}

/** The kernel counts those too which it killed because the whole machine had no memory left: then they need not be near their limit. */
const NEAR = 0.9;

function wasEndedForMemory({ memoryBytes }: CheckedLimits, { used }: End): boolean {
  if (memoryBytes === undefined || used?.oomKills === undefined || used.oomKills === 0) return false;
  return used.peakMemoryBytes === undefined || used.peakMemoryBytes >= memoryBytes * NEAR;
}
