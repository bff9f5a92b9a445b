/** Whether a machine's limits are enough for a pool of a given size: sums over facts, which know nothing of where those come from. */
import type { MachineFacts } from './machine.js';

/** What a pool asks of its machine. */
export interface PoolSize {
  threads: number;
  /** Runs at once. */
  concurrency: number;
  /** Sandboxes kept ready, for each thread, at most. */
  warmMax: number;
  /** Engine memory of one run, at most. */
  memoryBytes: number;
}

export interface CapacityCheck {
  /** What there may be too little of. */
  resource: string;
  unit: 'count' | 'bytes';
  /** null: no limit. */
  limit: number | null;
  needed: number;
  enough: boolean;
  /** What would give more; where there is not enough. */
  remedy?: string;
}

/** Host descriptors that one sandbox holds: its bridge, its diagnostics, its pidfd. */
const DESCRIPTORS_PER_SANDBOX = 3;
/** A Node process with its threads and libraries, and what an application may have open besides. */
const DESCRIPTORS_OF_HOST = 128;
/** Threads of Node, and a launcher with its helper for each worker thread. */
const PROCESSES_OF_HOST = 16;
const PROCESSES_PER_THREAD = 3;
/**
 * Memory of one sandbox that waits for a tool, as docs/performance.md has it measured: 271 KB (PSS), and some more for page
 * tables and kernel stacks. It is not measured here.
 */
export const WAITING_SANDBOX_BYTES = 400_000;

/** One check for each limit of the machine. */
export function capacityOf(size: PoolSize, machine: MachineFacts): CapacityCheck[] {
  const sandboxes = size.concurrency + size.threads * size.warmMax;
  const processes = PROCESSES_OF_HOST + size.threads * PROCESSES_PER_THREAD + sandboxes;
  const { limits, memory } = machine;
  const available = memory?.availableBytes ?? null;
  const counted: [resource: string, limit: number | null, needed: number, remedy: string][] = [
    [
      'open files (RLIMIT_NOFILE)',
      limits.openFiles,
      DESCRIPTORS_OF_HOST + sandboxes * DESCRIPTORS_PER_SANDBOX,
      'raise it (ulimit -n; LimitNOFILE= of systemd; --ulimit nofile= of Docker)',
    ],
    [
      'processes of the user (RLIMIT_NPROC)',
      limits.processes,
      processes,
      'raise it (ulimit -u; LimitNPROC= of systemd; --ulimit nproc= of Docker)',
    ],
    [
      'processes of the cgroup (pids.max)',
      limits.cgroupPids,
      processes,
      'raise it (TasksMax= of systemd; --pids-limit of Docker; podPidsLimit of Kubernetes)',
    ],
    [
      'user namespaces (user.max_user_namespaces)',
      limits.userNamespaces,
      size.threads,
      'raise it (sysctl -w user.max_user_namespaces=15000)',
    ],
    [
      'PID namespaces (user.max_pid_namespaces)',
      limits.pidNamespaces,
      size.threads + sandboxes,
      'raise it (sysctl -w user.max_pid_namespaces=15000)',
    ],
  ];
  const inBytes: typeof counted = [
    [
      'memory while all of them wait',
      available,
      sandboxes * WAITING_SANDBOX_BYTES,
      'set a lower concurrency or warm.max, or give it more memory',
    ],
    [
      'memory if all reach memoryBytes',
      available,
      size.concurrency * size.memoryBytes + sandboxes * WAITING_SANDBOX_BYTES,
      'if programs need that much at the same time, set a lower concurrency or limits.memoryBytes',
    ],
  ];
  const check =
    (unit: CapacityCheck['unit']) =>
    ([resource, limit, needed, remedy]: (typeof counted)[number]): CapacityCheck => {
      const enough = limit === null || limit >= needed;
      return { resource, unit, limit, needed, enough, ...(!enough && { remedy }) };
    };
  return [...counted.map(check('count')), ...inBytes.map(check('bytes'))];
}
