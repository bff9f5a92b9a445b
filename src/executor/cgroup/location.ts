/**
 * Where a process is in the cgroup hierarchies of its machine, as directories that it can open. From two texts of the kernel alone;
 * must not know limits, or what may be done there.
 */
import { readFileSync } from 'node:fs';

/** One hierarchy, and the directory of the process in it. */
export interface CgroupLocation {
  version: 'v1' | 'v2';
  /** Of this hierarchy; version 2 lists its own in `cgroup.controllers` instead. */
  controllers: readonly string[];
  /** Absolute. */
  directory: string;
  /** Where the hierarchy is mounted: above it nothing can be seen. */
  top: string;
}

interface Mount {
  version: 'v1' | 'v2';
  /** The part of the hierarchy that is mounted. */
  root: string;
  point: string;
  options: readonly string[];
}

/**
 * `cgroup`: the text of /proc/PID/cgroup. `mountinfo`: that of /proc/self/mountinfo. A hierarchy that is not mounted, or of which only
 * a part is, in which the process is not, is left out.
 */
export function cgroupLocations(cgroup: string, mountinfo: string): CgroupLocation[] {
  const mounts = cgroupMounts(mountinfo);
  return lines(cgroup).flatMap((line) => {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (names === undefined || path === undefined) return [];
    const controllers = names === '' ? [] : names.split(',');
    for (const { version, root, point, options } of mounts) {
      const isThere = names === '' ? version === 'v2' : options.includes(controllers[0] ?? '');
      const below = isThere ? pathBelow(root, path) : undefined;
      if (below !== undefined) return [{ version, controllers, directory: point + below, top: point }];
    }
    return [];
  });
}

/** Of this process. */
export function ownLocations(): CgroupLocation[] {
  try {
    return cgroupLocations(
      readFileSync('/proc/self/cgroup', 'utf8'),
      readFileSync('/proc/self/mountinfo', 'utf8'),
    );
  } catch {
    return [];
  }
}

function cgroupMounts(mountinfo: string): Mount[] {
  return lines(mountinfo).flatMap((line) => {
    const [mount = '', fileSystem = ''] = line.split(' - ');
    const [, , , root = '', point = ''] = mount.split(' ').map(unescaped);
    const [type, , options = ''] = fileSystem.split(' ');
    if (type !== 'cgroup' && type !== 'cgroup2') return [];
    return [{ version: type === 'cgroup2' ? 'v2' : 'v1', root, point, options: options.split(',') }];
  });
}

/** `path` as seen from `root`: the empty string for `root` itself; undefined if it is not below. */
function pathBelow(root: string, path: string): string | undefined {
  const prefix = root === '/' ? '' : root;
  // A process outside of its cgroup namespace's root is shown as /../…: no directory that we could name.
  if (path.startsWith('/..') || !`${path}/`.startsWith(`${prefix}/`)) return undefined;
  const below = path.slice(prefix.length);
  return below === '/' ? '' : below;
}

/** The kernel writes blanks and backslashes of a path in octal. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
