/** The settings of this machine that decide what sandboxes can be had on it, and how many. Read only, no probing. */
import { readFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';

export interface MachineFacts {
  platform: string;
  arch: string;
  kernel: string;
  node: string;
  /** The C library that Node was built against; the prebuilt addon needs glibc. */
  libc: string;
  /** Whether this process is root in its user namespace; its launchers then become an unprivileged user first. */
  root: boolean;
  /** Limits that bound the number of sandboxes; null where the machine has no such setting, or no limit. */
  limits: {
    openFiles: number | null;
    processes: number | null;
    cgroupPids: number | null;
    userNamespaces: number | null;
    pidNamespaces: number | null;
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** `max` and `unlimited` are no limit. */
function limit(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

function softLimit(name: string): number | null {
  const line = read('/proc/self/limits')
    ?.split('\n')
    .find((each) => each.startsWith(name));
  return limit(line?.slice(name.length).trim().split(/\s+/)[0]);
}

function cgroupPids(): number | null {
  for (const line of (read('/proc/self/cgroup') ?? '').split('\n')) {
    const [, controllers, path] = line.split(':');
    if (controllers === '') return limit(read(`/sys/fs/cgroup${path}/pids.max`));
    if (controllers === 'pids') return limit(read(`/sys/fs/cgroup/pids${path}/pids.max`));
  }
  return null;
}

export function machineFacts(): MachineFacts {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  const glibc = report?.header?.glibcVersionRuntime;
  return {
    platform: platform(),
    arch: arch(),
    kernel: release(),
    node: process.version,
    libc: glibc === undefined ? 'not glibc' : `glibc ${glibc}`,
    root: process.geteuid?.() === 0,
    limits: {
      openFiles: softLimit('Max open files'),
      processes: softLimit('Max processes'),
      cgroupPids: cgroupPids(),
      userNamespaces: limit(read('/proc/sys/user/max_user_namespaces')),
      pidNamespaces: limit(read('/proc/sys/user/max_pid_namespaces')),
    },
  };
}
