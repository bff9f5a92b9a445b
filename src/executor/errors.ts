/** What the executor could not do, and why. These are its own; the pool turns those that it meets into its public errors. */
import { constants } from 'node:os';
import type { BackendName, Receipt } from './receipt.js';
import { errorName } from './system-error.js';

/** The command's own exec; mirrors `native/control/steps.h`. */
export const STEP_EXECUTE = 97;

/** One thing that a sandbox needs and this machine refuses. */
export interface MissingCapability {
  /** A capability name: see the capabilities in `docs/isolation.md`. */
  capability: string;
  /** What was tried, and what the kernel said. */
  reason: string;
  /** What would allow it. */
  remedy: string;
  /** The backend that lacks it; absent where none could have it. */
  backend?: BackendName;
}

/** No backend on this machine has every capability that is needed. Nothing was run. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
  /** Of a command: nothing was run, and why. */
  receipt?: Receipt;

  /** True if the machine said no; false if something else went wrong, such as a lack of memory or of descriptors. */
  get isRefusal(): boolean {
    return this.missing.every(({ capability }) => capability !== 'lifecycle');
  }

  constructor(readonly missing: MissingCapability[]) {
    super(
      `no sandbox is available on this machine: ${missing
        .map(
          ({ capability, reason, remedy, backend }) =>
            `${backend === undefined ? '' : `${backend}: `}${capability}: ${reason} (${remedy})`,
        )
        .join('; ')}`,
    );
  }
}

/** One sandbox, or one command, could not be started. Nothing of it was run. */
export class SpawnFailed extends Error {
  override readonly name = 'SpawnFailed';
  /** Of a command: how far it came, and how it was to be confined. */
  receipt?: Receipt;

  /** The name of `errno`, as in `ENOENT`; `SPAWN_FAILED` if there is none. */
  get code(): string {
    return errorName(this.errno) || 'SPAWN_FAILED';
  }

  /**
   * Of a command. `not-found`: there is no such program, or what it needs to be executed (its interpreter) is not in the sandbox;
   * `not-executable`: it is there, and cannot be executed; `confinement`: a step before that failed.
   */
  get failure(): 'not-found' | 'not-executable' | 'confinement' {
    if (this.step !== 0 && this.step !== STEP_EXECUTE) return 'confinement';
    return this.errno === constants.errno.ENOENT ? 'not-found' : 'not-executable';
  }

  constructor(
    message: string,
    /** The numbered confinement step, 0 if it was before the first. */
    readonly step: number,
    readonly errno: number,
  ) {
    super(message);
  }
}

/** The launcher ended, and with it every sandbox that it had. */
export class LauncherLost extends Error {
  override readonly name = 'LauncherLost';
  /** Of a command. */
  receipt?: Receipt;
}

/** An option of a command that does not exist, or a value that it cannot have. Nothing was run. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError';
  readonly code = 'INVALID_OPTION';
}

/** A cgroup could not be made, joined or removed, although this machine has them. */
export class CgroupFailed extends Error {
  override readonly name = 'CgroupFailed';
  readonly code = 'CGROUP_FAILED';
}
