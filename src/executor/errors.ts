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

/** No backend that was considered has everything that is needed: the machine, the policy or a limit is in its way. Nothing was run. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
  readonly code = 'SANDBOX_UNAVAILABLE';
  /** Of a command: nothing was run, and why. */
  receipt?: Receipt;

  /** True if the machine said no; false if something else went wrong, such as a lack of memory or of descriptors. */
  get isRefusal(): boolean {
    return this.missing.every(({ capability }) => capability !== 'lifecycle');
  }

  constructor(readonly missing: MissingCapability[]) {
    super(`nothing was run, as not all that is asked for can be had: ${describeMissing(missing)}`);
  }
}

/** Those of one backend with the same reason and remedy as one. */
function describeMissing(missing: readonly MissingCapability[]): string {
  const capabilities = new Map<string, { before: string; after: string; names: string[] }>();
  for (const { capability, reason, remedy, backend } of missing) {
    const before = backend === undefined ? '' : `${backend}: `;
    const after = `: ${reason} (${remedy})`;
    const alike = capabilities.get(before + after) ?? { before, after, names: [] };
    capabilities.set(before + after, alike);
    if (!alike.names.includes(capability)) alike.names.push(capability);
  }
  return [...capabilities.values()]
    .map(({ before, names, after }) => `${before}${names.join(', ')}${after}`)
    .join('; ');
}

/**
 * Why a command was not started. `not-found`: there is no such program, or what it needs to be executed (its interpreter, its dynamic
 * linker) is not in the sandbox. `not-executable`: it is there, and cannot be executed, or the policy denies it. `confinement`: the
 * sandbox could not be built. `cancelled`: it was stopped first.
 */
export type SpawnFailure = 'not-found' | 'not-executable' | 'confinement' | 'cancelled';

/** One sandbox, or one command, could not be started. Nothing of it was run. */
export class SpawnFailed extends Error {
  override readonly name = 'SpawnFailed';
  /** Of what kind; of a sandbox that is no command's, always `confinement`. */
  readonly failure: SpawnFailure;
  /** Of a command: how far it came, and how it was to be confined. */
  receipt?: Receipt;

  /** The name of `errno`, as in `ENOENT`; `SPAWN_FAILED` if there is none. */
  get code(): string {
    return errorName(this.errno) || 'SPAWN_FAILED';
  }

  constructor(
    message: string,
    /** The numbered confinement step, 0 if it was before the first. */
    readonly step: number,
    /** Why it failed, as the kernel numbers errors; 0 if that is not known. */
    readonly errno: number,
    options: ErrorOptions & { failure?: SpawnFailure } = {},
  ) {
    super(message, options);
    this.failure = options.failure ?? (step === STEP_EXECUTE ? failureOfProgram(errno) : 'confinement');
  }
}

/** For a program that was looked for, or that the kernel was asked to execute. */
export function failureOfProgram(errno: number): SpawnFailure {
  const { ENOENT, ENOTDIR } = constants.errno;
  return errno === ENOENT || errno === ENOTDIR ? 'not-found' : 'not-executable';
}

/** The launcher ended, and with it every sandbox that it had. */
export class LauncherLost extends Error {
  override readonly name = 'LauncherLost';
  readonly code = 'LAUNCHER_LOST';
  /** Of a command. */
  receipt?: Receipt;
}

/** An argument or option that does not exist, or a value that it cannot have. Nothing was run. */
export class InvalidOptionError extends Error {
  override readonly name = 'InvalidOptionError';
  readonly code = 'INVALID_OPTION';
  /** The option by its path, as in `limits.wallMs`; undefined if it is another argument, or all options. */
  readonly option: string | undefined;
  /** What the option's value is, and what it must be: the message without the option's name; undefined if there is no such option. */
  readonly problem: string | undefined;

  constructor(message: string, options: ErrorOptions & { option?: string; problem?: string } = {}) {
    super(message, options);
    this.option = options.option;
    this.problem = options.problem;
  }
}

/** A cgroup could not be made, joined or removed, although this machine has them. */
export class CgroupFailed extends Error {
  override readonly name = 'CgroupFailed';
  readonly code = 'CGROUP_FAILED';
}
