/** How the receipt of one sandbox or command is put together, from what its plan, its owner, the kernel and the stop ladder know. Pure. */
import type { LimitEnforcer, ProcessUsage, Receipt, SandboxOutcome } from './receipt.js';

/** What the owner of a run, or of a command, adds to its receipt. */
export interface ReceiptContext {
  executionId: string;
  labels: Record<string, string>;
  codeDigest?: string;
  programDigest?: string;
  traceId?: string;
  limits: Record<string, number>;
  limitedBy: Record<string, LimitEnforcer>;
  limitsReached?: string[];
}

/** The members of a receipt that are the same for every sandbox of a launcher. */
export type ReceiptBase = Pick<
  Receipt,
  | 'schema'
  | 'versions'
  | 'backend'
  | 'platform'
  | 'policyDigest'
  | 'planDigest'
  | 'executable'
  | 'isolation'
  | 'network'
>;

/** What the kernel and the launcher reported of its end. */
export interface SandboxFacts {
  outcome: SandboxOutcome;
  /** Why the receipt is not complete, where the outcome does not say it all. */
  reason?: string;
  usage: ProcessUsage;
  traffic: Traffic;
  /** The kernel reported the end of the whole tree, or it never was there. */
  contained: boolean;
}

/** What the host did, and when: milliseconds. */
export interface SandboxCourse {
  /** As `performance.now()` has it. */
  requestedAt: number;
  spawnMs: number;
  runMs: number;
  stopMs: number;
  stop: Omit<Receipt['stop'], 'containmentConfirmed'>;
}

/** How its bytes went, and how many of its diagnostics were kept. */
export interface SandboxIo {
  mode: Receipt['io']['mode'];
  diagnosticsLimit: number;
}

export interface Traffic {
  bytesIn: number;
  bytesOut: number;
  stderrBytes: number;
}

/** Bytes of diagnostics that are kept of one sandbox; more is counted and dropped. */
export const DIAGNOSTICS_LIMIT = 4_096;

const OF_A_POOL: SandboxIo = { mode: 'code-bridge', diagnosticsLimit: DIAGNOSTICS_LIMIT };

export const NO_USAGE: ProcessUsage = {
  cpuUserMs: 0,
  cpuSystemMs: 0,
  maxRssBytes: 0,
  minorFaults: 0,
  majorFaults: 0,
  voluntaryContextSwitches: 0,
  involuntaryContextSwitches: 0,
};

export const NO_TRAFFIC: Traffic = { bytesIn: 0, bytesOut: 0, stderrBytes: 0 };

export function sandboxReceipt(
  base: ReceiptBase,
  context: ReceiptContext,
  facts: SandboxFacts,
  { requestedAt, spawnMs, runMs, stopMs, stop }: SandboxCourse,
  { mode, diagnosticsLimit }: SandboxIo = OF_A_POOL,
): Receipt {
  const { outcome, usage, traffic, contained } = facts;
  const reason = facts.reason ?? unavailableBecause(outcome, contained);
  return {
    ...base,
    ...(reason === undefined ? { state: 'complete' } : { state: 'unavailable', reason }),
    ...context,
    io: {
      mode,
      ...traffic,
      stderrTruncated: traffic.stderrBytes > diagnosticsLimit,
    },
    timings: {
      requestedAt: new Date(performance.timeOrigin + requestedAt).toISOString(),
      spawnMs,
      runMs,
      stopMs,
    },
    stop: { ...stop, containmentConfirmed: contained },
    outcome,
    usage,
  };
}

/** The receipt of an execution for which no process could be made, by step and errno: nothing was run, and nothing used. */
export function spawnFailedReceipt(
  base: ReceiptBase,
  context: ReceiptContext,
  { step, errno }: { step: number; errno: number },
): Receipt {
  return sandboxReceipt(
    base,
    context,
    { outcome: { kind: 'spawn-failed', step, errno }, usage: NO_USAGE, traffic: NO_TRAFFIC, contained: true },
    {
      requestedAt: performance.now(),
      spawnMs: 0,
      runMs: 0,
      stopMs: 0,
      stop: { reason: null, gracefulStopAttempted: false, forcedStopAttempted: false },
    },
  );
}

function unavailableBecause(outcome: SandboxOutcome, contained: boolean): string | undefined {
  if (!contained) return 'the kernel did not confirm the end of the sandbox';
  if (outcome.kind === 'lost') return 'the launcher ended before it reported the end of the sandbox';
  if (outcome.kind === 'spawn-failed')
    return outcome.step === 0
      ? 'it could not be started; nothing was run'
      : `confinement stopped at step ${outcome.step}; nothing was run`;
  return undefined;
}
