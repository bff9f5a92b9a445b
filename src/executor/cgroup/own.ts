/** The cgroups of this process: where they are mounted, what they limit, and whether more could be made below them. */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { limitOf, readSetting } from '../settings-file.js';
import { type CgroupLocation, ownLocations } from './location.js';

export interface CgroupFacts {
  /** The hierarchy in which this process could make cgroups of its own. */
  delegated: 'v2' | 'v1' | 'none';
  /** Controllers that are there for it: of memory, pids and cpu. */
  controllers: string[];
}

const USEFUL_CONTROLLERS = ['memory', 'pids', 'cpu'];

/** Of a v1 controller, or of the v2 hierarchy if `controller` is not given; undefined where it is not mounted. */
function placeOf(controller?: string): CgroupLocation | undefined {
  return ownLocations().find(({ version, controllers }) =>
    controller === undefined ? version === 'v2' : version === 'v1' && controllers.includes(controller),
  );
}

/** The lowest value on the way from this process's cgroup to the mount point; null where there is no limit. */
function lowest({ top, directory }: CgroupLocation, file: string): number | null {
  let limit: number | null = null;
  for (let at = directory; at.startsWith(top); at = join(at, '..')) {
    const value = limitOf(readSetting(join(at, file)));
    if (value !== null) limit = Math.min(limit ?? value, value);
    if (at === top) break;
  }
  return limit;
}

/** v1 says "no limit" by a number near the largest. */
const MOST_BYTES = Number.MAX_SAFE_INTEGER;

function limitIn(controller: string, v2File: string, v1File: string): number | null {
  const v2 = placeOf();
  const v1 = placeOf(controller);
  const limits = [v2 && lowest(v2, v2File), v1 && lowest(v1, v1File)];
  const known = limits.filter((limit) => typeof limit === 'number' && limit < MOST_BYTES) as number[];
  return known.length === 0 ? null : Math.min(...known);
}

/** How many processes and threads the cgroups of this process may have in all; null: no limit. */
export function cgroupPidsLimit(): number | null {
  return limitIn('pids', 'pids.max', 'pids.max');
}

/** Bytes of memory that the cgroups of this process may have in all; null: no limit. */
export function cgroupMemoryLimit(): number | null {
  return limitIn('memory', 'memory.max', 'memory.limit_in_bytes');
}

/** Bytes that this process's cgroup has and would not give back for the asking; null where there is no such controller. */
export function cgroupMemoryUse(): number | null {
  return (
    memoryUse(placeOf(), 'memory.current', 'inactive_file') ??
    memoryUse(placeOf('memory'), 'memory.usage_in_bytes', 'total_inactive_file')
  );
}

/** Of what is in use, pages of files that nobody has touched for a while are as good as free. */
function memoryUse(place: CgroupLocation | undefined, file: string, reclaimable: string): number | null {
  const used = limitOf(place && readSetting(join(place.directory, file)));
  if (place === undefined || used === null) return null;
  const lines = (readSetting(join(place.directory, 'memory.stat')) ?? '').split('\n');
  const line = lines.find((each) => each.startsWith(`${reclaimable} `));
  return Math.max(0, used - (limitOf(line?.slice(reclaimable.length + 1)) ?? 0));
}

function mayMakeMore({ directory }: CgroupLocation): boolean {
  try {
    for (const path of [directory, join(directory, 'cgroup.procs')]) accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** By the permissions of its directories: no cgroup is made. */
export function cgroupFacts(): CgroupFacts {
  const v2 = placeOf();
  if (v2 !== undefined && mayMakeMore(v2)) {
    const names = (readSetting(join(v2.directory, 'cgroup.controllers')) ?? '').split(' ');
    const controllers = USEFUL_CONTROLLERS.filter((name) => names.includes(name));
    if (controllers.length > 0) return { delegated: 'v2', controllers };
  }
  const controllers = USEFUL_CONTROLLERS.filter((name) => {
    const place = placeOf(name);
    return place !== undefined && mayMakeMore(place);
  });
  return { delegated: controllers.length > 0 ? 'v1' : 'none', controllers };
}
