/**
 * The cgroup of one command: made, joined, read and removed. It bounds memory and processes of everything that the command starts, and
 * counts its CPU time. With version 1 it is a directory in each of several hierarchies, with version 2 one. Must not know what runs in it.
 *
 * Calls that are synchronous here take the kernel some ten to some hundred microseconds (measured: mkdir 30 to 190, joining 30 to 110,
 * reading 20 to 70); only the removal may have to wait for somebody, and is asynchronous.
 */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CgroupFailed } from '../errors.js';
import type { CgroupUsage, LimitEnforcer } from '../receipt.js';
import { CGROUP_FILES, type CgroupFiles, type CgroupLimit, keyedNumber } from './files.js';
import { cgroupName } from './name.js';
import { type CgroupSupport, probeCgroups } from './support.js';

export interface CgroupLimits {
  /** Of all its processes together. Bytes; the kernel rounds down to pages. Absent: no limit. */
  memoryBytes?: number | undefined;
  /** Processes and threads at once, whoever joined included. Absent: no limit. */
  processes?: number | undefined;
}

/** How long processes that were killed may take to leave their cgroup. */
const REMOVE_TIMEOUT_MS = 2_000;
const LEAST_WAIT_MS = 10;
const MOST_WAIT_MS = 100;

export class Cgroup {
  readonly version: 'v1' | 'v2';
  /** Of the limits that it was given, and of CPU time, which whoever has it may limit by `watchCpu`: what enforces them. */
  readonly enforces: Readonly<{ [limit in CgroupLimit]?: LimitEnforcer }>;
  readonly #files: CgroupFiles;
  readonly #directories: { [limit in CgroupLimit]?: string } = {};
  #removing: Promise<void> | undefined;

  /**
   * A new cgroup without processes; undefined if this machine has none to give, for which `probeCgroups().missing` has the reasons.
   * A limit of which there is no controller is not set: `enforces` says which are. `name`: unique among those of this process;
   * 1 to 200 letters, digits, `.`, `_` and `-`. Throws `CgroupFailed`, and leaves nothing.
   */
  static create(
    name: string,
    limits: CgroupLimits,
    support: CgroupSupport = probeCgroups(),
  ): Cgroup | undefined {
    if (!/^[\w.-]{1,200}$/.test(name))
      throw new CgroupFailed(
        `the name of a cgroup is ${JSON.stringify(name.slice(0, 200))}: it must be 1 to 200 letters, digits, '.', '_' and '-'`,
      );
    return support.version === 'none'
      ? undefined
      : new Cgroup(cgroupName(name), limits, support, support.version);
  }

  private constructor(name: string, limits: CgroupLimits, { parents }: CgroupSupport, version: 'v1' | 'v2') {
    this.version = version;
    this.#files = CGROUP_FILES[version];
    const made: string[] = [];
    try {
      for (const [limit, parent] of Object.entries(parents) as [CgroupLimit, string][]) {
        const directory = join(parent, name);
        if (!made.includes(directory)) {
          mkdirSync(directory);
          made.push(directory);
        }
        this.#directories[limit] = directory;
      }
      this.#limit(limits);
    } catch (error) {
      for (const directory of made) rmdirSync(directory);
      throw failure(`the cgroup ${name} could not be made`, error);
    }
    const enforcer = `cgroup-${version}` as const;
    const { memoryBytes, processes, cpuMs } = this.#directories;
    this.enforces = {
      ...(memoryBytes !== undefined && limits.memoryBytes !== undefined && { memoryBytes: enforcer }),
      ...(processes !== undefined && limits.processes !== undefined && { processes: enforcer }),
      ...(cpuMs !== undefined && { cpuMs: enforcer }),
    };
  }

  #limit({ memoryBytes, processes }: CgroupLimits): void {
    const { memory, processes: count } = this.#files;
    const directories = this.#directories;
    if (directories.memoryBytes !== undefined && memoryBytes !== undefined) {
      writeFileSync(join(directories.memoryBytes, memory.limit), String(memoryBytes));
      const swap = join(directories.memoryBytes, memory.swap.file);
      if (read(swap) !== undefined) writeFileSync(swap, String(memory.swap.value(memoryBytes)));
    }
    if (directories.processes !== undefined && processes !== undefined)
      writeFileSync(join(directories.processes, count.limit), String(processes));
  }

  /** Its directories, one for each hierarchy. */
  get directories(): string[] {
    return [...new Set(Object.values(this.#directories))];
  }

  /**
   * Moves a process into it, with all its threads; what it starts from then on is born there. `pid`: as this process's PID namespace
   * numbers it. Throws `CgroupFailed` if the process or the cgroup is gone, or the kernel refuses; the process may then be in a part of
   * the hierarchies, and must not go on.
   */
  join(pid: number): void {
    try {
      for (const directory of this.directories) writeFileSync(join(directory, 'cgroup.procs'), String(pid));
    } catch (error) {
      throw failure(`process ${pid} could not be moved into its cgroup`, error);
    }
  }

  /** Until now; empty once it was removed. */
  usage(): CgroupUsage {
    const { memory, processes } = this.#files;
    const events = this.#read('memoryBytes', memory.events);
    return withoutUndefined({
      cpuMs: this.#cpuMs(),
      peakMemoryBytes: toNumber(this.#read('memoryBytes', memory.peak)),
      peakProcesses: toNumber(this.#read('processes', processes.peak)),
      oomKills: events === undefined ? undefined : keyedNumber(events, 'oom_kill'),
    });
  }

  /**
   * Calls `onExceeded` once, when all its processes together have used more than `limitMs` of CPU time; never, if that is not counted
   * here. It looks again when the limit could be reached at the earliest, on all CPUs at once, and not before 10 ms: so that it looks
   * rarely while there is much left, and is late by some 10 ms on each CPU at most. Does not keep the process alive. Returns what
   * stops it.
   */
  watchCpu(limitMs: number, onExceeded: (usedMs: number) => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const lookLater = (usedMs: number): void => {
      const earliest = (limitMs - usedMs) / Math.max(1, cpus().length);
      timer = setTimeout(look, Math.max(LEAST_WAIT_MS, earliest)).unref();
    };
    const look = (): void => {
      const usedMs = this.#cpuMs();
      if (usedMs === undefined) return;
      if (usedMs > limitMs) onExceeded(usedMs);
      else lookLater(usedMs);
    };
    lookLater(this.#cpuMs() ?? 0);
    return () => clearTimeout(timer);
  }

  /** Sends SIGKILL to all its processes at once. False if this kernel cannot: version 1, or Linux before 5.14. */
  kill(): boolean {
    try {
      // Where it is not there, it must not be tried to make it: hence the flag.
      for (const directory of this.directories)
        writeFileSync(join(directory, 'cgroup.kill'), '1', { flag: 'r+' });
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Removes it, when its processes are gone. Idempotent; one that is not there any more is removed. Rejects with `CgroupFailed` if it is
   * still in use after 2 s, and may then be called again.
   */
  remove(): Promise<void> {
    this.#removing ??= this.#remove().catch((error: unknown) => {
      this.#removing = undefined;
      throw error;
    });
    return this.#removing;
  }

  async #remove(): Promise<void> {
    const until = performance.now() + REMOVE_TIMEOUT_MS;
    for (const directory of this.directories) {
      for (
        let wait = LEAST_WAIT_MS;
        !(await removed(directory, until));
        wait = Math.min(MOST_WAIT_MS, wait * 2)
      )
        await delay(wait);
    }
  }

  #cpuMs(): number | undefined {
    const text = this.#read('cpuMs', this.#files.cpu.usage);
    const used = text === undefined ? Number.NaN : this.#files.cpu.milliseconds(text);
    return Number.isNaN(used) ? undefined : used;
  }

  #read(limit: CgroupLimit, file: string): string | undefined {
    const directory = this.#directories[limit];
    return directory === undefined ? undefined : read(join(directory, file));
  }
}

/** False if it is in use, and there is time left. */
async function removed(directory: string, until: number): Promise<boolean> {
  try {
    await rmdir(directory);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code === 'EBUSY' && performance.now() < until) return false;
    const processes = (read(join(directory, 'cgroup.procs')) ?? '').split('\n').join(' ');
    throw failure(`a cgroup could not be removed; it has the processes ${processes || '(none)'}`, error);
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function toNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isNaN(number) ? undefined : number;
}

function failure(what: string, cause: unknown): CgroupFailed {
  return new CgroupFailed(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

function withoutUndefined(usage: { [member in keyof CgroupUsage]: number | undefined }): CgroupUsage {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined));
}
