/**
 * What a process holds of its machine, by name: descriptors, threads, processes, mounts, cgroups, temporary entries and memory.
 * Taken before and after something that must leave nothing, the two say what it left. It reads /proc and directories, and must
 * not know what ran in between: tests and campaigns use it alike.
 *
 *   const before = holdingsOf(process.pid);
 *   …
 *   assert.deepEqual(await leftAfter(before), []);
 */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { descendants, descriptorsOf, eventually, startTimeOf, statusField } from './processes.js';

/** Each list has a name for everything that is there; what is there twice is listed twice. */
export interface Holdings {
  pid: number;
  /** What each refers to, as the kernel names it, without the numbers of pipes and sockets. */
  descriptors: string[];
  threads: string[];
  /** Of all below it: number, name and state. One that is dead and was not reaped is among them. */
  processes: string[];
  /** Lines of its mountinfo. */
  mounts: string[];
  /** Directories that wardenpool made for this process, in whatever hierarchy. */
  cgroups: string[];
  /** In the temporary directory: what has a name that wardenpool gives. */
  temporary: string[];
  residentBytes: number;
}

/** What there is before there is a process. */
export const NOTHING_HELD: Holdings = {
  pid: 0,
  descriptors: [],
  threads: [],
  processes: [],
  mounts: [],
  cgroups: [],
  temporary: [],
  residentBytes: 0,
};

/** What may be left. */
export interface Allowance {
  /** Resident memory may have grown by as much, bytes. Default: it is not looked at. */
  residentBytes?: number;
  /** What a documented exception says; given each name that was left, with its kind before it. */
  known?(left: string): boolean;
}

type Kind = 'descriptors' | 'threads' | 'processes' | 'mounts' | 'cgroups' | 'temporary';

const SINGULAR: Readonly<Record<Kind, string>> = {
  descriptors: 'descriptor',
  threads: 'thread',
  processes: 'process',
  mounts: 'mount',
  cgroups: 'cgroup',
  temporary: 'temporary entry',
};
const KINDS = Object.keys(SINGULAR) as Kind[];

/** Of this process, or of another that we may read. `temporaryDirectory`: where it makes its own; default: as this one does. */
export function holdingsOf(pid: number, temporaryDirectory: string = tmpdir()): Holdings {
  return {
    pid,
    // Without the numbers of pipes and sockets: a thread that was replaced has others, and as many.
    descriptors: [...(descriptorsOf(pid)?.values() ?? [])].map((name) => name.replace(/:\[\d+\]$/, '')),
    threads: namesIn(`/proc/${pid}/task`).map((thread) => commandOf(`/proc/${pid}/task/${thread}`)),
    processes: processesBelow(pid),
    mounts: linesOf(`/proc/${pid}/mountinfo`),
    cgroups: cgroupsOf(pid),
    temporary: namesIn(temporaryDirectory)
      .filter((name) => name.startsWith('wardenpool-'))
      .map((name) => join(temporaryDirectory, name)),
    residentBytes: Number.parseInt(statusField(pid, 'VmRSS'), 10) * 1024 || 0,
  };
}

/** What is there now and was not before, each by its kind and name; empty if nothing is. */
export function leftBetween(
  before: Holdings,
  now: Holdings,
  { residentBytes, known }: Allowance = {},
): string[] {
  const left = KINDS.flatMap((kind) =>
    added(before[kind], now[kind]).map((name) => `${SINGULAR[kind]} ${name}`),
  );
  const grownBytes = now.residentBytes - before.residentBytes;
  if (residentBytes !== undefined && grownBytes > residentBytes)
    left.push(`${grownBytes} bytes of resident memory, of which ${residentBytes} are allowed`);
  return known === undefined ? left : left.filter((name) => !known(name));
}

/** The same of now, once nothing is left any more; or what still is after `withinMs` (default: 5 s). */
export async function leftAfter(
  before: Holdings,
  allowance: Allowance = {},
  withinMs = 5_000,
): Promise<string[]> {
  let left: string[] = [];
  await eventually(() => {
    left = leftBetween(before, holdingsOf(before.pid), allowance);
    return left.length === 0;
  }, withinMs);
  return left;
}

function added(before: readonly string[], now: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of before) counts.set(name, (counts.get(name) ?? 0) + 1);
  return now.filter((name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count - 1);
    return count <= 0;
  });
}

function processesBelow(root: number): string[] {
  return descendants(root).flatMap((pid) => {
    // A number may be given again: with when it began, it is one process.
    const startedAt = startTimeOf(pid);
    const [state = ''] = statusField(pid, 'State').split(' ');
    if (startedAt === undefined || state === '') return [];
    return [
      `${pid} (${commandOf(`/proc/${pid}`)}${state === 'Z' ? ', dead and not reaped' : ''}) of ${startedAt}`,
    ];
  });
}

/** Those that wardenpool made for a process, also one that is over: `wardenpool-PID-…`, in any hierarchy that this process sees. */
export function cgroupsOf(pid: number): string[] {
  const tops = linesOf('/proc/self/mountinfo').flatMap((line) => {
    const [mount = '', fileSystem = ''] = line.split(' - ');
    const [, , , , point = ''] = mount.split(' ');
    return /^cgroup2? /.test(fileSystem) ? [point] : [];
  });
  return tops.flatMap(directoriesBelow).filter((path) => basename(path).startsWith(`wardenpool-${pid}-`));
}

function directoriesBelow(top: string): string[] {
  try {
    return readdirSync(top, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => [join(top, name), ...directoriesBelow(join(top, name))]);
  } catch {
    return []; // removed just now, or not ours to read
  }
}

function commandOf(directory: string): string {
  return linesOf(join(directory, 'comm'))[0] ?? 'over by now';
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
