/**
 * Receipts: what the host and its launcher know of how one sandbox was confined, used and ended. Everything in a receipt
 * comes from the kernel or from the host itself, never from what the sandboxed program said.
 */

/** Name of the channel of `node:diagnostics_channel` on which each receipt is published when the main thread first has it. */
export const RECEIPT_CHANNEL = 'wardenpool.receipt';

/**
 * `private`: of this execution alone. `shared-null`: shared by the sandboxes of one launcher, with nothing in it. `host`: the one of the
 * process that started it.
 */
export type NamespaceKind = 'private' | 'shared-null' | 'host';

export type NamespaceName = 'user' | 'mount' | 'pid' | 'network' | 'ipc' | 'uts' | 'cgroup';

/** `schemas/receipt-1.schema.json` has the same members, and readers ignore what they do not know. */
export interface Receipt {
  schema: 'wardenpool.receipt/1';
  /** `unavailable`: what is below is not known to be true of this execution; never to be read as "contained". */
  state: 'complete' | 'unavailable';
  /** Why it is unavailable; there only then. */
  reason?: string;
  /** Of a command: its invocation's. */
  executionId: string;
  /** As they were given; not looked at. */
  labels: Record<string, string>;
  /** Of the OpenTelemetry trace that records it: 32 hexadecimal digits. Absent: none does. */
  traceId?: string;
  /** `runner`, `engine`: only where a program of JavaScript ran, and not a command. */
  versions: { wardenpool: string; runner?: string; engine?: string };
  /** What confined it, and the version of that. */
  backend: {
    name: BackendName;
    version: string;
    /** With `auto`, those that come before it, and why each could not be had; absent if there is none. */
    refused?: { name: BackendName; reason: string }[];
  };
  /** As Node and the kernel name them. */
  platform: { os: string; arch: string; kernel: string };
  /** Of the policy's canonical binary form. Lowercase SHA-256, like every digest here. */
  policyDigest: string;
  /** Of everything that was decided before the start: backend, policy, executable, confinement, ceilings. */
  planDigest: string;
  /** The file that was executed: absolute path, and its content when it was looked at, which is before the start. */
  executable: { path: string; digest: string };
  /** Of a program as it was submitted; not of a command. */
  codeDigest?: string;
  /** Of the program as it ran, after it was normalised. */
  programDigest?: string;
  isolation: {
    namespaces: Record<NamespaceName, NamespaceKind>;
    /** `digest`: of the instructions of all filters, in the order in which they were installed. */
    seccomp: { mode: 'filter'; digest: string } | { mode: 'none' };
    /** True if no program that it executes can have more rights than it. */
    noNewPrivs: boolean;
    /** Capabilities that are left, in the permitted, effective, inheritable or ambient set. */
    capabilities: string[];
    /** `host`: that of the host, which may not empty it; with no_new_privs and no capability, nothing of it can be had. */
    boundingSet: 'empty' | 'host';
    /** ABI of the kernel's Landlock, of which a domain is in force; null where there is none. */
    landlock: { abi: number } | null;
    /** The version of the cgroup of this execution alone; `none`: it has none. */
    cgroup: 'none' | 'v1' | 'v2';
    /** `private`: shows the processes of its own PID namespace only. `none`: there is no procfs. */
    procfs?: 'private' | 'none' | 'host';
    /** As the host's user namespace numbers them. */
    userId: number;
    groupId: number;
    supplementaryGroups: number[];
  };
  /** `none`: no socket reaches anything. `direct`: the host's network. */
  network: { mode: 'none' | 'direct' };
  /** In force, by name; bytes, milliseconds or counts, as the name says. */
  limits: Record<string, number>;
  /** What enforces a limit, by its name. One that is not here is checked by the host, on what passes through it. */
  limitedBy?: Record<string, LimitEnforcer>;
  /**
   * Of a command: the limits that ended some or all of it, as far as the host or the kernel knows: its time (`wallMs`, `cpuMs`), or that
   * the kernel killed processes for their memory (`memoryBytes`). Absent if there was none. A limit that only makes calls fail is never here.
   */
  limitsReached?: string[];
  /** Bytes that passed. */
  io: {
    /**
     * `code-bridge`: descriptor 3, by frames. `isolated-duplex`: descriptor 3, opaque. `inherit`: the host's own descriptors 0 to 2, of
     * which nothing is counted.
     */
    mode: 'code-bridge' | 'isolated-duplex' | 'inherit';
    /** To the sandbox, over descriptor 3. */
    bytesIn: number;
    /** From the sandbox, over descriptor 3. */
    bytesOut: number;
    /** All that it wrote to its diagnostics, kept or not. */
    stderrBytes: number;
    /** True if some of that was dropped. */
    stderrTruncated: boolean;
  };
  /**
   * `requestedAt`: when it was given its work, ISO 8601: the wall clock at the start of the host's process, and from there by a clock that
   * only goes forward. The others are milliseconds by that. `spawnMs`: until the process was there; 0 for one that was waiting. `runMs`:
   * from `requestedAt` to the end. `stopMs`: from the first demand to stop to the end; 0 if there was none.
   */
  timings: { requestedAt: string; spawnMs: number; runMs: number; stopMs: number };
  stop: {
    /** Null if nobody asked for it: it ended by itself. */
    reason: StopReason | null;
    /** It was asked to end. */
    gracefulStopAttempted: boolean;
    /** It was sent SIGKILL. */
    forcedStopAttempted: boolean;
    /** True if the kernel reported the end of the whole process tree. */
    containmentConfirmed: boolean;
  };
  outcome: SandboxOutcome;
  usage: ProcessUsage;
}

/** What the kernel counted of the sandboxed process, from its clone to its end. All 0 if it was never there, or is `lost`. */
export interface ProcessUsage {
  cpuUserMs: number;
  cpuSystemMs: number;
  /** Largest resident set, pages shared with the launcher included. */
  maxRssBytes: number;
  /** Page faults served from memory, most of them copies of a page that was the launcher's. */
  minorFaults: number;
  /** Page faults with a wait for a disk. */
  majorFaults: number;
  /** It waited for something. */
  voluntaryContextSwitches: number;
  /** It was taken off its CPU. */
  involuntaryContextSwitches: number;
  /** What its cgroup counted, if it had one. */
  cgroup?: CgroupUsage;
}

/** What the kernel counted of all processes of a cgroup together; a member is absent where it keeps no such count. */
export interface CgroupUsage {
  /** User and system time, of processes that ended too. */
  cpuMs?: number;
  /** The most at any time, page cache and files in memory included. */
  peakMemoryBytes?: number;
  /** The most at any time, threads included. */
  peakProcesses?: number;
  /** Processes that were killed because the memory limit was reached. */
  oomKills?: number;
}

export type BackendName = 'namespaces' | 'seccomp' | 'bubblewrap' | 'seatbelt' | 'posix';

/**
 * What enforces a limit. `engine`: the runner, which is inside the sandbox. `timer`: this process, by the stop ladder. `rlimit`: the
 * kernel, for each process alone, or for a user. `tmpfs`: the file system of the private temp. `cgroup-v1`, `cgroup-v2`: the kernel, for
 * all processes together; for CPU time the kernel counts, and this process stops.
 */
export type LimitEnforcer = 'engine' | 'timer' | 'rlimit' | 'tmpfs' | 'cgroup-v1' | 'cgroup-v2';

/** Why a sandbox was stopped from outside. */
export type StopReason = 'deadline' | 'cancelled' | 'closed' | 'violation' | 'overflow';

/**
 * How a sandbox ended. `violation`: the kernel killed it for a system call that is not on its allow-list. `spawn-failed`: a step of its
 * confinement failed, and nothing was run. `lost`: its launcher ended first, and took it
 * along; or it was confined, and ended before it was given its work.
 */
export interface SandboxOutcome {
  kind: 'exited' | 'signaled' | 'violation' | 'spawn-failed' | 'lost';
  /** Exit status, 0 to 255, of one that exited. */
  code?: number;
  /** Name of the signal that ended it, for `signaled` and `violation`. */
  signal?: string;
  /** The numbered confinement step that failed, 0 if it was before the first; for `spawn-failed`. */
  step?: number;
  /** Why it failed, as the kernel numbers errors; for `spawn-failed`. */
  errno?: number;
}
