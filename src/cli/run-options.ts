/** The options of `wardenpool run`, as those of `spawnIsolated()`. Errors name options as the user wrote them. */
import { readFileSync } from 'node:fs';
import {
  compilePolicy,
  type IoMode,
  type IsolatedOptions,
  type Policy,
  PROCESS_LIMIT_RANGES,
  type ProcessLimits,
  readOnly,
  readWrite,
} from '../executor/index.js';
import { bytesOf } from './raw-arguments.js';

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

/** Throws an error of one clear sentence, or `PolicyError`. */
export function isolatedOptions(options: RunOptions): IsolatedOptions {
  return {
    policy: policyOf(options),
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

function policyOf({ rw, policy: file }: RunOptions): Policy {
  if (file === undefined) return rw ? readWrite() : readOnly();
  let text: Buffer;
  try {
    text = readFileSync(bytesOf(file));
  } catch (error) {
    throw new Error(`the policy ${file.toWellFormed()} cannot be read: ${(error as Error).message}`);
  }
  return compilePolicy(text).policy;
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
  const limits: ProcessLimits = {};
  for (const [option, limit] of Object.entries(LIMIT_OPTIONS) as [
    keyof typeof LIMIT_OPTIONS,
    keyof ProcessLimits,
  ][]) {
    const value = options[option];
    if (value === undefined) continue;
    const [least, most] = PROCESS_LIMIT_RANGES[limit];
    if (value < least || value > most)
      throw new Error(`--${dashed(option)} is ${value}: it must be a whole number from ${least} to ${most}`);
    limits[limit] = value;
  }
  return limits;
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
