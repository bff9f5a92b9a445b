/**
 * What cgroups this process may make on this machine: found by making one. Version 2 first; version 1 where that is what has the
 * controllers. Must not know commands.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { delegatedParent } from './delegation.js';
import { CGROUP_FILES, type CgroupLimit } from './files.js';
import { type CgroupLocation, ownLocations } from './location.js';
import { cgroupName, removeAbandoned } from './name.js';

export interface CgroupSupport {
  version: 'v1' | 'v2' | 'none';
  /** The directory in which cgroups are made, for each limit that they enforce. Version 2 has one for all. */
  parents: Readonly<{ [limit in CgroupLimit]?: string }>;
  /** Why a limit is not enforced by cgroups: what was tried, and what came of it. */
  missing: Readonly<{ [limit in CgroupLimit]?: string }>;
}

const LIMITS: readonly CgroupLimit[] = ['memoryBytes', 'processes', 'cpuMs'];

let known: CgroupSupport | undefined;

/** Tries it once; from then on the answer is kept. Does not throw. */
export function probeCgroups(): CgroupSupport {
  known ??= choose(ownLocations());
  return known;
}

function choose(locations: readonly CgroupLocation[]): CgroupSupport {
  const version2 = probeVersion2(locations);
  if (version2.parents.memoryBytes !== undefined || version2.parents.processes !== undefined) return version2;
  const version1 = probeVersion1(locations);
  if (version1.version === 'v1') return version1;
  if (version2.version === 'v2') return version2;
  return { version: 'none', parents: {}, missing: { ...version1.missing, ...version2.missing } };
}

export function probeVersion1(locations: readonly CgroupLocation[]): CgroupSupport {
  return probe('v1', (limit) => {
    const controller = CGROUP_FILES.v1.controllers[limit] ?? '';
    const location = locations.find(
      ({ version, controllers }) => version === 'v1' && controllers.includes(controller),
    );
    return location === undefined
      ? { reason: `no hierarchy with the controller ${controller} is mounted, of cgroups version 1` }
      : { parent: location.directory };
  });
}

/** Below our own, cgroups without controllers may be made all the same; they count CPU time, and can be killed as one. */
export function probeVersion2(locations: readonly CgroupLocation[]): CgroupSupport {
  const own = locations.find(({ version }) => version === 'v2');
  if (own === undefined) return probe('v2', () => ({ reason: 'cgroups version 2 are not mounted' }));
  const delegated = delegatedParent(own);
  if ('reason' in delegated)
    return probe('v2', (limit) => (limit === 'cpuMs' ? { parent: own.directory } : delegated));
  const { parent } = delegated;
  return probe('v2', (limit) => {
    const reason = whyNotEnabled(parent, CGROUP_FILES.v2.controllers[limit]);
    return reason === undefined ? { parent } : { reason };
  });
}

function probe(
  version: 'v1' | 'v2',
  place: (limit: CgroupLimit) => { parent: string } | { reason: string },
): CgroupSupport {
  const parents: { [limit in CgroupLimit]?: string } = {};
  const missing: { [limit in CgroupLimit]?: string } = {};
  for (const limit of LIMITS) {
    const placed = place(limit);
    const reason = 'reason' in placed ? placed.reason : whyNotIn(version, placed.parent, limit);
    if (reason !== undefined) missing[limit] = reason;
    else if ('parent' in placed) parents[limit] = placed.parent;
  }
  return { version: Object.keys(parents).length === 0 ? 'none' : version, parents, missing };
}

/** Enables the controller for the cgroups below `parent`, if that is not done. */
function whyNotEnabled(parent: string, controller: string | undefined): string | undefined {
  if (controller === undefined) return undefined;
  try {
    const available = words(join(parent, 'cgroup.controllers'));
    if (!available.includes(controller))
      return `${parent} does not have the controller ${controller}: cgroup.controllers lists ${available.join(', ') || 'none'}`;
    const control = join(parent, 'cgroup.subtree_control');
    if (!words(control).includes(controller)) writeFileSync(control, `+${controller}`);
    return undefined;
  } catch (error) {
    return `the controller ${controller} could not be enabled below ${parent}: ${messageOf(error)}`;
  }
}

function words(file: string): string[] {
  return readFileSync(file, 'utf8').split(/\s+/).filter(Boolean);
}

/** Makes a cgroup, sets the limit, or reads the counter of it, and removes it. */
function whyNotIn(version: 'v1' | 'v2', parent: string, limit: CgroupLimit): string | undefined {
  const directory = join(parent, cgroupName(randomUUID()));
  const { memory, processes, cpu } = CGROUP_FILES[version];
  try {
    removeAbandoned(parent);
    mkdirSync(directory);
    try {
      if (limit === 'memoryBytes') writeFileSync(join(directory, memory.limit), '16777216');
      else if (limit === 'processes') writeFileSync(join(directory, processes.limit), '16');
      else if (Number.isNaN(cpu.milliseconds(readFileSync(join(directory, cpu.usage), 'utf8'))))
        return `${join(directory, cpu.usage)} does not say how much CPU time was used`;
    } finally {
      rmdirSync(directory);
    }
    return undefined;
  } catch (error) {
    return `no cgroup with this limit could be made in ${parent}: ${messageOf(error)}`;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
