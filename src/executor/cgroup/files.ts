/** What the two versions of cgroups call the same things: the files of a cgroup, what is written there, and how they read. */

/** A limit of a command that a cgroup can enforce. */
export type CgroupLimit = 'memoryBytes' | 'processes' | 'cpuMs';

export interface CgroupFiles {
  /** The controller of each limit. CPU time is only counted, and in version 2 without any controller. */
  controllers: Readonly<Record<CgroupLimit, string | undefined>>;
  memory: {
    limit: string;
    /** Where the kernel accounts swap: the value that leaves none beside a limit of so many bytes. */
    swap: { file: string; value(bytes: number): number };
    peak: string;
    /** Text with a line `oom_kill N`. */
    events: string;
  };
  processes: { limit: string; peak: string };
  cpu: { usage: string; milliseconds(text: string): number };
}

/** `name N` in a text of such lines; undefined if there is none. */
export function keyedNumber(text: string, name: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

export const CGROUP_FILES: Readonly<Record<'v1' | 'v2', CgroupFiles>> = {
  v1: {
    controllers: { memoryBytes: 'memory', processes: 'pids', cpuMs: 'cpuacct' },
    memory: {
      limit: 'memory.limit_in_bytes',
      // Of memory and swap together.
      swap: { file: 'memory.memsw.limit_in_bytes', value: (bytes) => bytes },
      peak: 'memory.max_usage_in_bytes',
      events: 'memory.oom_control',
    },
    processes: { limit: 'pids.max', peak: 'pids.peak' },
    // In nanoseconds.
    cpu: { usage: 'cpuacct.usage', milliseconds: (text) => Number(text) / 1e6 },
  },
  v2: {
    controllers: { memoryBytes: 'memory', processes: 'pids', cpuMs: undefined },
    memory: {
      limit: 'memory.max',
      swap: { file: 'memory.swap.max', value: () => 0 },
      peak: 'memory.peak',
      events: 'memory.events',
    },
    processes: { limit: 'pids.max', peak: 'pids.peak' },
    cpu: { usage: 'cpu.stat', milliseconds: (text) => (keyedNumber(text, 'usage_usec') ?? Number.NaN) / 1e3 },
  },
};
