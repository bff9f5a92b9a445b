/**
 * What one command may use at most: names, units, ranges, and what enforces each. Must not know how: timers, resource
 * limits, mounts and cgroups are other modules' business.
 */
import { z } from 'zod';
import type { LimitEnforcer } from './receipt.js';

/**
 * Limits of one command and everything that it starts. Each may be left out, and then there is none, but for the private
 * temp, which always has both of its own. The receipt says in `limitedBy` what enforced each on this machine.
 */
export interface ProcessLimits {
  /**
   * Wall time from the start of the command, milliseconds, 1 to 2,147,000,000. Default: none. A timer of this process enforces
   * it, by the stop ladder; the receipt then has it in `limitsReached`.
   */
  wallMs?: number | undefined;
  /**
   * CPU time, user and system, milliseconds, 1 to 2,147,000,000. Default: none. With a cgroup, that of all processes together,
   * looked at by this process again and again: it may be exceeded by some 10 ms on each CPU. Without one, a resource limit of the
   * kernel for each process alone, in whole seconds, rounded up.
   */
  cpuMs?: number | undefined;
  /**
   * Memory, bytes, 1 MiB to 1 PiB. Default: none. With a cgroup, that of all processes together, files in the private temp and
   * the kernel's own for them included, and no swap beyond it. Without one, a resource limit on the data of each process alone.
   */
  memoryBytes?: number | undefined;
  /**
   * Processes and threads at once, 1 to 4,194,304. Default: none. With a cgroup, those of this command; without one, a resource limit
   * that the kernel counts for the command's user.
   */
  processes?: number | undefined;
  /** Size of any one file that is written, bytes, 0 to 1 PiB. Default: none. A resource limit of each process. */
  fileBytes?: number | undefined;
  /** Descriptors of one process, 8 to 1,048,576. Default: none. A resource limit of each process. */
  openFiles?: number | undefined;
  /** What the private temp holds, bytes, 4 KiB to 1 PiB. Default: 268,435,456. Its file system enforces it. */
  tempBytes?: number | undefined;
  /**
   * Files, directories and links in the private temp, itself included, 2 to 1,000,000,000. Default: 16,384. Its file system
   * enforces it.
   */
  tempInodes?: number | undefined;
}

/** Limits that were checked, defaults included; what is not there is not limited. */
export type CheckedLimits = { [name in keyof ProcessLimits]?: number } & {
  tempBytes: number;
  tempInodes: number;
};

type LimitName = keyof ProcessLimits;

/** Timers hold 31 bits of milliseconds, and the stop ladder comes after. */
const MOST_MS = 2_147_000_000;
const MEBIBYTE = 1_048_576;
const PEBIBYTE = 2 ** 50;

/**
 * The least and the most of each limit, in its unit. Below the least, no command would start. A tmpfs reads 0 as "no limit", so that
 * this is no value of its limits.
 */
const RANGES: Readonly<Record<LimitName, readonly [least: number, most: number]>> = {
  wallMs: [1, MOST_MS],
  cpuMs: [1, MOST_MS],
  memoryBytes: [MEBIBYTE, PEBIBYTE],
  processes: [1, 4_194_304],
  fileBytes: [0, PEBIBYTE],
  openFiles: [8, 1_048_576],
  tempBytes: [4_096, PEBIBYTE],
  tempInodes: [2, 1_000_000_000],
};

const DEFAULTS = { tempBytes: 268_435_456, tempInodes: 16_384 } as const;

function limit(name: LimitName) {
  const [least, most] = RANGES[name];
  const message = `must be an integer from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message).optional();
}

/** What somebody may give. `undefined` stands for absent. */
export const limitsSchema = z.strictObject(
  {
    wallMs: limit('wallMs'),
    cpuMs: limit('cpuMs'),
    memoryBytes: limit('memoryBytes'),
    processes: limit('processes'),
    fileBytes: limit('fileBytes'),
    openFiles: limit('openFiles'),
    tempBytes: limit('tempBytes'),
    tempInodes: limit('tempInodes'),
  },
  'must be an object',
);

const LIMIT_NAMES = Object.keys(RANGES) as readonly LimitName[];

export const LIMIT_OPTION_NAMES = LIMIT_NAMES.map((name) => `limits.${name}`);

/** With the defaults of those that have one. Of limits that were checked. */
export function withDefaults(given: ProcessLimits = {}): CheckedLimits {
  const checked: CheckedLimits = { ...DEFAULTS };
  for (const name of LIMIT_NAMES) {
    const value = given[name];
    if (value !== undefined) checked[name] = value;
  }
  return checked;
}

/** Those that somebody gave, and that are not defaults. Of limits that were checked. */
export function namesOfGiven(limits: ProcessLimits = {}): LimitName[] {
  return LIMIT_NAMES.filter((name) => limits[name] !== undefined);
}

/** What enforces a limit where there is no cgroup for it. */
const ENFORCERS: Readonly<Record<LimitName, LimitEnforcer>> = {
  wallMs: 'timer',
  cpuMs: 'rlimit',
  memoryBytes: 'rlimit',
  processes: 'rlimit',
  fileBytes: 'rlimit',
  openFiles: 'rlimit',
  tempBytes: 'tmpfs',
  tempInodes: 'tmpfs',
};

/** The member `limitedBy` of a command's receipt. `byCgroup`: what its cgroup enforces, if it has one (`Cgroup.enforces`). */
export function limitedBy(
  limits: ProcessLimits,
  byCgroup: { [name in LimitName]?: LimitEnforcer } = {},
): Record<string, LimitEnforcer> {
  const enforcers: Record<string, LimitEnforcer> = {};
  for (const name of LIMIT_NAMES)
    if (limits[name] !== undefined) enforcers[name] = byCgroup[name] ?? ENFORCERS[name];
  return enforcers;
}
