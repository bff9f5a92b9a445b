/** The front door of the executor: any command in a sandbox. It checks, plans and chooses; the execution does the rest. */
import { constants } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { SandboxUnavailable, SpawnFailed } from '../errors.js';
import { missingCapability } from '../remedies.js';
import { chooseBackend } from './choice.js';
import { checkDescriptors } from './descriptors.js';
import { Execution, type IsolatedResult } from './execution.js';
import {
  type CheckedOptions,
  checkCommand,
  checkIsolatedOptions,
  type IsolatedOptions,
  type StopOptions,
} from './options.js';
import { planCommand, type ResolvedPlan, resolvePlan } from './plan.js';
import type { Text } from './plan-encoding.js';

/** A command in its sandbox. */
export interface IsolatedExecution {
  /**
   * Our end of the command's descriptor 3: opaque bytes both ways. Ending it half-closes: what the command still sends is still
   * received. It must be read: back-pressure reaches the command. With `io: 'inherit'` it is empty.
   */
  readonly protocol: Duplex;
  /**
   * The command's stdout and stderr. It need not be read, but with `maxStderrBytes: Infinity`: more than that is cut, and counted in
   * the receipt.
   */
  readonly stderr: Readable;
  /** Of the command's process, as this process's PID namespace numbers it; undefined before it is there and after it is over. */
  readonly pid: number | undefined;
  /**
   * Resolves when the command and everything that it started is over and cleaned up. Idempotent. Rejects with `SpawnFailed` (`failure`
   * says of what kind), `SandboxUnavailable` (`missing` names everything that is), or `LauncherLost`, and nothing else; the `receipt` of
   * each says how far it came.
   */
  wait(): Promise<IsolatedResult>;
  /**
   * SIGTERM; SIGKILL to everything after `stop.gracefulMs`, or at once with `force`. Idempotent, at any time; resolves when it is
   * over. Rejects with `InvalidOptionError` for options that there are not, and for nothing else; then nothing was sent.
   */
  stop(options?: StopOptions): Promise<void>;
}

/**
 * Starts `command`, a program and its arguments, confined by `options.policy`. The program is looked for in our PATH, or is a path;
 * `code-runner` is the package's own where PATH has none. It gets an empty environment unless `options.environment` is given.
 *
 * Throws `InvalidOptionError`, `PolicyError`, `PolicyConflictError`, or `SandboxUnavailable` if this process has not even what it
 * takes to plan, before anything is started. What fails after that is told by `wait()`.
 */
export function spawnIsolated(command: readonly Text[], options: IsolatedOptions): IsolatedExecution {
  const parts = checkCommand(command);
  const checked = checkIsolatedOptions(options);
  checkDescriptors(checked);
  const plan = planned(checked);
  const execution = new Execution(checked, plan.policy.digest);
  start(execution, parts, plan, checked).catch((error: Error) =>
    execution.refuse(ours(error), {
      program: Buffer.from(parts[0] as string).toString(),
      network: plan.policy.network.mode === 'direct' ? 'direct' : 'none',
    }),
  );
  return execution;
}

async function start(
  execution: Execution,
  parts: readonly [Text, ...Text[]],
  plan: ResolvedPlan,
  options: CheckedOptions,
): Promise<void> {
  const command = planCommand(parts, plan, options, process.env['PATH'] ?? DEFAULT_PATH);
  const { backend, refused } = await chooseBackend(plan, options);
  if (execution.wasStopped)
    throw new SpawnFailed('the command was stopped before it was started', 0, constants.errno.ECANCELED, {
      failure: 'cancelled',
    });
  execution.start(command, backend, refused);
}

function planned(options: CheckedOptions): ResolvedPlan {
  try {
    return resolvePlan(options);
  } catch (error) {
    throw ours(error as Error);
  }
}

/** What the host itself lacks while it plans, descriptors or memory, is said as what a launcher lacks is. */
function ours(error: NodeJS.ErrnoException): Error {
  if (error.errno === undefined || error.syscall === undefined) return error;
  return new SandboxUnavailable([missingCapability(0, 'plan the command', -error.errno, error.message)]);
}

/** What shells take where there is no PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
