/**
 * Where in the version 2 hierarchy a process may make cgroups that have controllers. A cgroup below the root has either processes or
 * controllers for cgroups below it, and ours has this process: so ours are made beside it, where the cgroup above was given to this
 * service as a whole. Must not know commands.
 */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CgroupLocation } from './location.js';
import { CGROUP_PREFIX } from './name.js';

const ADVICE =
  'have systemd run this service with Delegate=yes and DelegateSubgroup=main, or another manager in a cgroup of its own below a delegated one';

/** The directory below which cgroups may have controllers; or why there is none. Does not throw. */
export function delegatedParent({ directory, top }: CgroupLocation): { parent: string } | { reason: string } {
  if (isRootOfHierarchy(directory)) return { parent: directory };
  if (directory === top)
    return { reason: `this process is in the topmost cgroup that it sees, ${top}: ${ADVICE}` };
  const parent = dirname(directory);
  try {
    const obstacle = whyNotBeside(directory, parent);
    return obstacle === undefined ? { parent } : { reason: `${obstacle}: ${ADVICE}` };
  } catch (error) {
    return { reason: `${parent} cannot be looked at: ${(error as Error).message}` };
  }
}

function whyNotBeside(own: string, parent: string): string | undefined {
  if (isRootOfHierarchy(parent)) return `the cgroup above ${own} is the root, which is the machine's`;
  for (const path of [parent, join(parent, 'cgroup.procs'), join(parent, 'cgroup.subtree_control')])
    if (!isWritable(path)) return `this process may not write to ${path}`;
  const others = readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(CGROUP_PREFIX))
    .map(({ name }) => join(parent, name))
    .filter((path) => path !== own && isPopulated(path));
  // Who manages them did not give the cgroup above to this service.
  if (others.length > 0) return `the cgroup above ${own} has others that are in use, such as ${others[0]}`;
  // What runs beside it would not be under these any more.
  for (const file of ['memory.max', 'pids.max'])
    if ((read(join(own, file)) ?? 'max') !== 'max')
      return `the cgroup of this process, ${own}, has a limit in ${file}`;
  return undefined;
}

/** Every cgroup has a type, but for the root. */
function isRootOfHierarchy(directory: string): boolean {
  return !existsSync(join(directory, 'cgroup.type'));
}

function isPopulated(directory: string): boolean {
  return /^populated 1$/m.test(read(join(directory, 'cgroup.events')) ?? '');
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
