/**
 * Receipts: what the host and its launcher know of how one sandbox was confined, used and ended. Everything in a receipt
 * comes from the kernel or from the host itself, never from what the sandboxed program said.
 */

export type NamespaceKind = 'private' | 'shared-null' | 'host';

export type NamespaceName = 'user' | 'mount' | 'pid' | 'network' | 'ipc' | 'uts' | 'cgroup';

export interface Receipt {
  schema: 'wardenpool.receipt/1';
  /** `unavailable`: what is below is not known to be true of this execution; never to be read as "contained". */
  state: 'complete' | 'unavailable';
  /** Why it is unavailable. */
  reason?: string;
  executionId: string;
  labels: Record<string, string>;
  /** `runner` and `engine` of a pool's sandboxes. */
  versions: { wardenpool: string; runner?: string; engine?: string };
  /** `refused`: with `backend: 'auto'`, those that come before it, and why each could not be had. */
  backend: { name: BackendName; version: string; refused?: { name: BackendName; reason: string }[] };
  platform: { os: string; arch: string; kernel: string };
  /** Lowercase SHA-256, like every digest here. */
  policyDigest: string;
  planDigest: string;
  executable: { path: string; digest: string };
  /** Of the program as it was submitted, and as it ran. */
  codeDigest?: string;
  programDigest?: string;
  isolation: {
    /**
     * `private`: of this execution alone; `shared-null`: shared by the sandboxes of one launcher, with nothing in it; `host`:
     * that of the host process.
     */
    namespaces: Record<NamespaceName, NamespaceKind>;
    /** Digest of both filters' instructions, in the order in which they were installed. */
    seccomp: { mode: 'filter'; digest: string } | { mode: 'none' };
    noNewPrivs: boolean;
    /** Capabilities that are left, in the permitted, effective, inheritable or ambient set. */
    capabilities: string[];
    /** `host`: that of the host, which may not empty it; with no_new_privs and no capability, nothing of it can be had. */
    boundingSet: 'empty' | 'host';
    /** ABI of the kernel's Landlock whose empty domain is in force; null where there is none, or a container refuses it. */
    landlock: { abi: number } | null;
    /** Whether the execution has one of its own. */
    cgroup: 'none' | 'v1' | 'v2';
    /** Of commands. `none`: there is none, as in every sandbox of a pool. */
    procfs?: 'private' | 'none' | 'host';
    /** As the host's user namespace numbers them. */
    userId: number;
    groupId: number;
    supplementaryGroups: number[];
  };
  network: { mode: 'none' | 'direct' };
  limits: Record<string, number>;
  /** Of each limit: what enforces it. */
  limitedBy?: Record<string, LimitEnforcer>;
  /** `bytesIn`: to the sandbox, over descriptor 3; `bytesOut`: from it. */
  io: {
    mode: 'code-bridge' | 'isolated-duplex' | 'inherit';
    bytesIn: number;
    bytesOut: number;
    stderrBytes: number;
    stderrTruncated: boolean;
  };
  /** `requestedAt`: ISO 8601. `spawnMs`: until the clone was there; 0 for one that was warm. */
  timings: { requestedAt: string; spawnMs: number; runMs: number; stopMs: number };
  stop: {
    reason: StopReason | null;
    gracefulStopAttempted: boolean;
    forcedStopAttempted: boolean;
    /** True if the kernel reported the end of the whole process tree. */
    containmentConfirmed: boolean;
  };
  outcome: SandboxOutcome;
  usage: ProcessUsage & { cgroup?: CgroupUsage };
}

/** What the kernel counted of all processes of a cgroup; a member is absent where it keeps no such count. */
export interface CgroupUsage {
  /** User and system time. */
  cpuMs?: number;
  /** The most at any time, page cache and files in memory included. */
  peakMemoryBytes?: number;
  /** The most at any time, threads included. */
  peakProcesses?: number;
  /** Processes that were killed because the memory limit was reached. */
  oomKills?: number;
}

/** What the kernel counted of the sandboxed process, from its clone to its end. */
export interface ProcessUsage {
  cpuUserMs: number;
  cpuSystemMs: number;
  /** Largest resident set, pages shared with the launcher included. */
  maxRssBytes: number;
  /** Page faults: served from memory, most of them copies of a page that was the launcher's; and with a wait for a disk. */
  minorFaults: number;
  majorFaults: number;
  /** It waited for something; or it was taken off its CPU. */
  voluntaryContextSwitches: number;
  involuntaryContextSwitches: number;
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
 * How a sandbox ended. `violation`: the kernel killed it for a system call that is not on its allow-list.
 * `lost`: its launcher ended first, and took it along.
 */
export interface SandboxOutcome {
  kind: 'exited' | 'signaled' | 'violation' | 'spawn-failed' | 'lost';
  code?: number;
  signal?: string;
  /** The numbered confinement step that failed, and its errno. */
  step?: number;
  errno?: number;
}
