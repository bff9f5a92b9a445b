/** The options of `wardenpool run`, as those of `spawnIsolated()`. Errors name options as the user wrote them. */
import {
  type CompiledPolicy,
  InvalidOptionError,
  type IoMode,
  type IsolatedOptions,
  type Policy,
  PolicyConflictError,
  PolicyError,
  type ProcessLimits,
  readOnly,
  readWrite,
} from '../executor/index.js';
import { loadPolicy, problemOfPolicy } from './policy-file.js';

/** As the command line gives them. */
export interface RunOptions {
  ro?: true;
  rw?: true;
  policy?: string;
  workspace?: string;
  io: IoMode;
  env: Readonly<Record<string, string>>;
  preserveFd: number[];
  backend: NonNullable<IsolatedOptions['backend']>;
  receipt?: string;
  invocationId?: string;
  graceTime?: number;
  wallTime?: number;
  cpuTime?: number;
  memory?: number;
  processes?: number;
  openFiles?: number;
  fileSize?: number;
  tempBytes?: number;
  tempInodes?: number;
}

/** Each limit by the option that sets it. */
const LIMIT_OPTIONS = {
  wallTime: 'wallMs',
  cpuTime: 'cpuMs',
  memory: 'memoryBytes',
  processes: 'processes',
  openFiles: 'openFiles',
  fileSize: 'fileBytes',
  tempBytes: 'tempBytes',
  tempInodes: 'tempInodes',
} as const satisfies Partial<Record<keyof RunOptions, keyof ProcessLimits>>;

/** The others by the option of `spawnIsolated()` that they become. */
const FLAGS: Readonly<Record<string, string>> = {
  workspace: '--workspace',
  io: '--io',
  environment: '--env',
  preserveFds: '--preserve-fd',
  backend: '--backend',
  invocationId: '--invocation-id',
  'stop.gracefulMs': '--grace-time',
  ...Object.fromEntries(
    Object.entries(LIMIT_OPTIONS).map(([option, limit]) => [`limits.${limit}`, `--${dashed(option)}`]),
  ),
};

/** What `spawnIsolated()` threw, as somebody would be told who knows the command line alone. */
export function inOurTerms(error: unknown, { policy }: RunOptions): unknown {
  if (error instanceof InvalidOptionError) {
    const { option = '', problem } = error;
    const flag = FLAGS[option] ?? FLAGS[option.split('.')[0] ?? ''];
    return flag === undefined || problem === undefined
      ? error
      : new Error(`${flag} ${problem}`, { cause: error });
  }
  const isOfFile = error instanceof PolicyError || error instanceof PolicyConflictError;
  return isOfFile && policy !== undefined ? problemOfPolicy(policy, error) : error;
}

/** Rejects with an error of one clear sentence. */
export async function isolatedOptions(options: RunOptions): Promise<IsolatedOptions> {
  return {
    policy: await policyOf(options),
    workspace: workspaceOf(options),
    io: options.io,
    environment: environmentOf(options),
    preserveFds: options.preserveFd,
    backend: options.backend,
    invocationId: options.invocationId,
    stop: { gracefulMs: options.graceTime },
    limits: limitsOf(options),
    // All of it is passed on.
    maxStderrBytes: Number.POSITIVE_INFINITY,
  };
}

function policyOf({ rw, policy: file }: RunOptions): Promise<CompiledPolicy> | Policy {
  if (file !== undefined) return loadPolicy(file);
  return rw ? readWrite() : readOnly();
}

function workspaceOf({ workspace }: RunOptions): string {
  if (workspace?.isWellFormed() === false)
    throw new Error(
      `the workspace ${workspace.toWellFormed()} has a name that is no UTF-8: policies cannot name it; rename it`,
    );
  if (workspace !== undefined) return workspace;
  try {
    process.cwd();
    return '.'; // not by its name, which may be no UTF-8
  } catch {
    throw new Error('the current directory no longer exists: name another by --workspace');
  }
}

function environmentOf({ env }: RunOptions): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(env))
    if (!name.isWellFormed() || !value.isWellFormed())
      throw new Error(`--env ${name.toWellFormed()} is no UTF-8: the command reads such a value from a file`);
  return env;
}

function limitsOf(options: RunOptions): ProcessLimits {
  return Object.fromEntries(
    Object.entries(LIMIT_OPTIONS).map(([option, limit]) => [
      limit,
      options[option as keyof typeof LIMIT_OPTIONS],
    ]),
  );
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
