/** What a backend is to those who run a command in it. Must not know any of them. */
import type { LauncherFacts } from '../addon.js';
import type { BackendCapability } from '../capabilities.js';
import type { MissingCapability } from '../errors.js';
import type { Identity } from '../identity.js';
import type { ProcessLimits } from '../process-limits.js';
import type { BackendName, Receipt } from '../receipt.js';
import type { Operation } from './operations.js';
import type { CheckedOptions } from './options.js';
import type { EncodedPlan, ResourceLimits, Text } from './plan-encoding.js';

/** A command on this machine: what is executed, in which root, with what. The same for every backend. */
export interface Command {
  /** Real path on the host. */
  path: string;
  /** What is executed, inside. */
  inside: string;
  /** What is executed where nothing is inside: the path by which it was found, which may be a link. */
  link: string;
  arguments: readonly Text[];
  environment: Readonly<Record<string, string>>;
  directory: string;
  /** Real path of the workspace on the host; undefined for an empty one, made for this command. */
  workspace: string | undefined;
  operations: readonly Operation[];
  network: 'none' | 'direct';
  writableRoot: boolean;
  limits: ResourceLimits;
  identity: Identity;
  options: CheckedOptions;
}

/** A command as a backend starts it. */
export interface PreparedCommand {
  plan: EncodedPlan;
  /** Of what confines: ours, or the tool's. */
  version: string;
  /** What is in force, as far as the launcher says so. */
  isolation(facts: LauncherFacts): Omit<Receipt['isolation'], 'cgroup'>;
  /** Takes away what was made on disk. Never rejects. */
  dispose(): Promise<void>;
}

export interface CommandBackend {
  readonly name: BackendName;
  /** Whether `auto` may choose it. */
  readonly isAutomatic: boolean;
  /** Everything that it has where the machine lets it. */
  readonly offers: ReadonlySet<BackendCapability>;
  /** Limits that it cannot enforce: a command that was given one of them is refused, and a default is not in force. */
  readonly cannotLimit: ReadonlySet<keyof ProcessLimits>;
  /** Processes beside the command, which a cgroup counts with it. */
  readonly ownProcesses: number;
  /** What keeps it from running any command here: tried for real, and known from then on. Never rejects. */
  lacks(): Promise<readonly MissingCapability[]>;
  /** After `lacks()` found nothing. Throws `SpawnFailed` if this command cannot be run so. */
  prepare(command: Command): PreparedCommand;
}
