/**
 * Names of our cgroups: `wardenpool-PID-NAME`, by the process that made them. One that a process left behind, because it was
 * killed, can so be told from one in use.
 */
import { readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

export const CGROUP_PREFIX = 'wardenpool-';

export function cgroupName(name: string): string {
  return `${CGROUP_PREFIX}${process.pid}-${name}`;
}

/** Removes what processes that are no more left in `parent`. The kernel refuses it for a cgroup that has a process. */
export function removeAbandoned(parent: string): void {
  for (const entry of readdirSync(parent)) {
    const [, pid] = /^wardenpool-(\d+)-/.exec(entry) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmdirSync(join(parent, entry));
    } catch {
      // In use after all, or removed by another process just now.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
