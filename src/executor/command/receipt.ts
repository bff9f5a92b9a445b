/** How the receipt of a command is put together. Pure; must not know how a command is started or ended. */
import { createHash } from 'node:crypto';
import { arch, platform, release } from 'node:os';
import { v7 as uuidv7 } from 'uuid';
import type { Cgroup } from '../cgroup/cgroup.js';
import { SandboxUnavailable, SpawnFailed } from '../errors.js';
import { PACKAGE_VERSION } from '../package-version.js';
import { limitedBy, type ProcessLimits } from '../process-limits.js';
import type { BackendName, CgroupUsage, Receipt, SandboxOutcome } from '../receipt.js';
import {
  NO_TRAFFIC,
  NO_USAGE,
  type SandboxCourse,
  type SandboxFacts,
  sandboxReceipt,
} from '../sandbox-receipt.js';
import type { Command, CommandBackend } from './backend.js';
import type { CheckedOptions } from './options.js';

/** What is known of a command that never started. */
export const NOTHING_IN_FORCE: Receipt['isolation'] = {
  namespaces: {
    user: 'host',
    mount: 'host',
    pid: 'host',
    network: 'host',
    ipc: 'host',
    uts: 'host',
    cgroup: 'host',
  },
  seccomp: { mode: 'none' },
  noNewPrivs: false,
  capabilities: [],
  boundingSet: 'host',
  landlock: null,
  cgroup: 'none',
  userId: process.geteuid?.() ?? 0,
  groupId: process.getegid?.() ?? 0,
  supplementaryGroups: [],
};

/** What a receipt is made of, besides the options and the times. */
export interface KnownOfCommand extends Pick<Receipt, 'executable' | 'backend' | 'isolation' | 'planDigest'> {
  network: Receipt['network']['mode'];
  /** In force. */
  limits: ProcessLimits;
  /** Of those, what ended it. Default: none. */
  limitsReached?: readonly string[];
  report: EndReport;
  cgroup?: Cgroup | undefined;
  used?: CgroupUsage | undefined;
}

export function commandReceipt(
  options: CheckedOptions,
  policyDigest: string,
  { network, limits, limitsReached = [], report, cgroup, used, ...known }: KnownOfCommand,
  course: SandboxCourse,
): Receipt {
  return sandboxReceipt(
    {
      schema: 'wardenpool.receipt/1',
      versions: { wardenpool: PACKAGE_VERSION },
      platform: { os: platform(), arch: arch(), kernel: release() },
      policyDigest,
      network: { mode: network },
      ...known,
    },
    {
      executionId: options.invocationId ?? uuidv7(),
      labels: { ...options.labels },
      limits: { ...limits } as Record<string, number>,
      limitedBy: limitedBy(limits, cgroup?.enforces),
      ...(limitsReached.length > 0 && { limitsReached: [...limitsReached] }),
    },
    { ...report, usage: { ...report.usage, ...(used !== undefined && { cgroup: used }) } },
    course,
    { mode: options.io, diagnosticsLimit: options.maxStderrBytes },
  );
}

/** How it ended, as far as that is known. */
export type EndReport = SandboxFacts;

export const LOST: EndReport = {
  outcome: { kind: 'lost' },
  usage: NO_USAGE,
  traffic: NO_TRAFFIC,
  contained: true,
};

function failureOutcome(error: Error): SandboxOutcome {
  if (error instanceof SpawnFailed) return { kind: 'spawn-failed', step: error.step, errno: error.errno };
  if (error instanceof SandboxUnavailable) return { kind: 'spawn-failed', step: 0, errno: 0 };
  return { kind: 'lost' };
}

export function spawnFailure(error: Error): EndReport {
  return { ...LOST, outcome: failureOutcome(error) };
}

/** A default that the backend cannot enforce is none. */
export function limitsInForce(limits: ProcessLimits, { cannotLimit }: CommandBackend): ProcessLimits {
  const inForce = { ...limits };
  for (const name of cannotLimit) delete inForce[name];
  return inForce;
}

/** Of everything that decides what the command may do. Its arguments and environment are not in it: they may be secrets. */
export function planDigest(command: Command, backend: BackendName, policyDigest: string): string {
  const { path, inside, directory, operations, network, writableRoot, limits, options } = command;
  const plan = {
    backend,
    policyDigest,
    path,
    inside,
    directory,
    operations,
    network,
    writableRoot,
    resourceLimits: limits,
    limits: options.limits,
    io: options.io,
    preserveFds: options.preserveFds,
  };
  return createHash('sha256').update(JSON.stringify(plan)).digest('hex');
}
