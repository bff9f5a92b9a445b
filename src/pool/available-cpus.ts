/** How many CPUs this process may really use: what the scheduler allows it, and what its cgroup pays for. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** At least 1. */
export function availableCpus(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(cgroupCpus())));
}

/** CPU quota of this process's cgroup, in CPUs; Infinity where there is none. The parents' quotas are not read. */
function cgroupCpus(): number {
  for (const line of readText('/proc/self/cgroup').split('\n')) {
    const [, controllers, path] = line.split(':');
    if (path === undefined) continue;
    if (controllers === '') {
      const [quota, period] = readText(`/sys/fs/cgroup${path}/cpu.max`).trim().split(' ');
      if (isPositive(quota) && isPositive(period)) return Number(quota) / Number(period);
    } else if (controllers?.split(',').includes('cpu')) {
      const quota = readText(`/sys/fs/cgroup/${controllers}${path}/cpu.cfs_quota_us`).trim();
      const period = readText(`/sys/fs/cgroup/${controllers}${path}/cpu.cfs_period_us`).trim();
      if (isPositive(quota) && isPositive(period)) return Number(quota) / Number(period);
    }
  }
  return Number.POSITIVE_INFINITY;
}

function isPositive(text: string | undefined): boolean {
  return text !== undefined && /^[1-9][0-9]*$/.test(text);
}

/** Empty where there is no such file: other systems, and containers that hide it. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
