/**
 * The native addon, as TypeScript sees it. It is loaded on first use and not on import, so that importing the package
 * works on every platform. The shapes here mirror `native/addon`; nothing else in the package may know them.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Kinds of `NativeEvents` entries; mirrors `native/addon/event_batch.h`. */
export const NativeEvent = {
  data: 1,
  end: 2,
  drained: 3,
  diagnostics: 4,
  spawned: 5,
  spawnFailed: 6,
  exited: 7,
  ready: 8,
  failed: 9,
  launcherExited: 10,
} as const;

/** Kind, sandbox number (0: the launcher itself), payload; and again, for each event of one turn. */
export type NativeEvents = unknown[];

/** Payload of `NativeEvent.exited`. */
export type NativeExit = [
  lost: number,
  waitStatus: number,
  failedStep: number,
  failedErrno: number,
  cpuUserUs: number,
  cpuSystemUs: number,
  peakRssBytes: number,
  minorFaults: number,
  majorFaults: number,
  voluntarySwitches: number,
  involuntarySwitches: number,
  diagnosticsBytes: number,
  bytesIn: number,
  bytesOut: number,
];

/** Payload of `NativeEvent.ready`: what is in force in every sandbox of this launcher. */
export interface LauncherFacts {
  /** The user and group of the sandboxes, as this process's user namespace numbers them. */
  userId: number;
  groupId: number;
  /** 0: the kernel has no Landlock. */
  landlockAbi: number;
  /** How many groups besides `groupId` the sandboxes keep. */
  supplementaryGroups: number;
  /** How many capabilities are left in the bounding set of the sandboxes. */
  boundingSet: number;
  /** Of a command: 1 if it has a procfs. */
  procfs: number;
  /** Of a zygote. */
  runnerVersion: string;
  engineVersion: string;
  /** Classic BPF, as installed. A command has only the second. */
  zygoteFilter: Buffer;
  runnerFilter: Buffer;
}

export interface NativeLauncher {
  /** Makes it a zygote. Once; throws a system error. */
  configure(namespaces: number, ceilings: number[]): void;
  /**
   * Makes it the launcher of one command, whose number is returned. Once; throws a system error. `plan`: see `plan-encoding.ts`.
   * `inherited`: our descriptors for 0, 1 and 2; if it is empty, the command has a bridge at 3 and a diagnostics pipe.
   */
  runCommand(plan: Buffer, inherited: readonly number[], preserved: readonly number[]): number;
  /** Asks for a sandbox and returns its number; throws a system error (`code`, `errno`) if descriptors run out. */
  spawn(): number;
  /** False if the sandbox is over, or no longer reads. */
  write(sandbox: number, bytes: string | Buffer): boolean;
  /** The bytes that wait for the kernel to take them. */
  pending(sandbox: number): number;
  endInput(sandbox: number): void;
  setPaused(sandbox: number, paused: boolean): void;
  setDiagnosticsPaused(sandbox: number, paused: boolean): void;
  /** What the sandbox still sends is for nobody: its writes fail from then on. */
  closeOutput(sandbox: number): void;
  /** What the sandbox still sends is read when it has ended. */
  readAtExit(sandbox: number): void;
  /** 0 if it is not known, or over. */
  pid(sandbox: number): number;
  /** Sandboxes that have used so much CPU time give way to the others, if the launcher takes it now. */
  demote(cpuMs: number): void;
  /** False if the sandbox is over, or not yet there. */
  sendSignal(sandbox: number, signal: number): boolean;
  launcherPid(): number;
  /** Whether the event loop goes on for this launcher's sake; at first it does not. */
  keepAlive(whether: boolean): void;
  close(): void;
  kill(): void;
}

/** What a launcher's sandboxes have of namespaces; mirrors `enum control_namespaces` of `native/control/control.h`. */
export const NativeNamespaces = {
  /** A PID namespace for each; the launcher's own, empty ones otherwise. */
  shared: 0,
  /** One of every namespace for each. */
  own: 1,
  /** The host's. */
  none: 2,
} as const;

export interface Addon {
  Launcher: new (
    binary: string,
    mode: 'zygote' | 'command',
    diagnosticsLimit: number,
    onEvents: (events: NativeEvents) => void,
  ) => NativeLauncher;
  /** Text of each confinement step, by its number. */
  steps: Record<number, string>;
  /** The C library that it was built with. */
  libc: string;
}

let loaded: { addon: Addon; directory: string } | undefined;

function load(): { addon: Addon; directory: string } {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const packageRoot = fileURLToPath(new URL('../../', import.meta.url));
  const nodeGypBuild = require('node-gyp-build') as ((root: string) => Addon) & {
    path(root: string): string;
  };
  loaded = { addon: nodeGypBuild(packageRoot), directory: dirname(nodeGypBuild.path(packageRoot)) };
  return loaded;
}

/** Throws if there is no build of the addon for this platform, architecture and libc. */
export function loadAddon(): Addon {
  return load().addon;
}

/** Absolute path of an executable that was built beside the addon. */
export function executablePath(name: 'wardenpool-launcher' | 'code-runner'): string {
  return join(load().directory, name);
}
