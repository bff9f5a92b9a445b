/**
 * The facts of this machine that decide what sandboxes can be had on it, and how many: its settings, and what its kernel does
 * when it is asked. Must not know backends.
 */
import { arch, platform, release } from 'node:os';
import { loadAddon } from './addon.js';
import {
  type CgroupFacts,
  cgroupFacts,
  cgroupMemoryLimit,
  cgroupMemoryUse,
  cgroupPidsLimit,
} from './cgroup/own.js';
import { type KernelSurvey, surveyKernel } from './kernel-survey.js';
import { runtimeGlibc } from './runtime-glibc.js';
import { limitOf, readSetting } from './settings-file.js';
import { userNamespaceRefusal } from './user-namespaces.js';

export interface MachineFacts {
  platform: string;
  arch: string;
  kernel: string;
  node: string;
  /** The C library that this process runs with. */
  libc: string;
  /** The C library that the native addon was built with; or why there is no addon. */
  addon: { libc: string } | { missing: string };
  /** Whether this process is root in its user namespace; its launchers then become an unprivileged user first. */
  root: boolean;
  /** What the kernel lets this process do; null where it could not be asked. */
  survey: KernelSurvey | null;
  /** Who refuses user namespaces; null if they are allowed, or it is not known. */
  userNamespacesRefusedBy: string | null;
  cgroup: CgroupFacts;
  /** Bytes that this process and its sandboxes can still get, and what says so. */
  memory: { availableBytes: number; by: 'cgroup' | 'MemAvailable' } | null;
  /** Limits that bound the number of sandboxes; null where the machine has no such setting, or no limit. */
  limits: {
    openFiles: number | null;
    processes: number | null;
    cgroupPids: number | null;
    userNamespaces: number | null;
    pidNamespaces: number | null;
  };
}

function softLimit(name: string): number | null {
  const line = readSetting('/proc/self/limits')
    ?.split('\n')
    .find((each) => each.startsWith(name));
  return limitOf(line?.slice(name.length).trim().split(/\s+/)[0]);
}

function runtimeLibc(): string {
  const glibc = runtimeGlibc();
  return glibc === undefined ? 'not glibc' : `glibc ${glibc}`;
}

function addonFacts(): MachineFacts['addon'] {
  try {
    return { libc: loadAddon().libc };
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return { missing: reason };
  }
}

function memory(): MachineFacts['memory'] {
  const found = readSetting('/proc/meminfo')?.match(/^MemAvailable:\s+(\d+) kB$/m);
  const free = found?.[1] === undefined ? null : Number(found[1]) * 1024;
  const limit = cgroupMemoryLimit();
  const left = limit === null ? null : Math.max(0, limit - (cgroupMemoryUse() ?? 0));
  if (left !== null && (free === null || left < free)) return { availableBytes: left, by: 'cgroup' };
  return free === null ? null : { availableBytes: free, by: 'MemAvailable' };
}

/** Never rejects: what cannot be found out is null. */
export async function machineFacts(): Promise<MachineFacts> {
  const survey = await surveyKernel().catch(() => null);
  return {
    platform: platform(),
    arch: arch(),
    kernel: release(),
    node: process.version,
    libc: runtimeLibc(),
    addon: addonFacts(),
    root: process.geteuid?.() === 0,
    survey,
    userNamespacesRefusedBy: survey?.nesting.user === 0 ? userNamespaceRefusal().by : null,
    cgroup: cgroupFacts(),
    memory: memory(),
    limits: {
      openFiles: softLimit('Max open files'),
      processes: softLimit('Max processes'),
      cgroupPids: cgroupPidsLimit(),
      userNamespaces: limitOf(readSetting('/proc/sys/user/max_user_namespaces')),
      pidNamespaces: limitOf(readSetting('/proc/sys/user/max_pid_namespaces')),
    },
  };
}
