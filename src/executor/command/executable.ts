/**
 * Which file a command is, and what it is called inside the sandbox. It is looked for before anything is spawned, in our PATH.
 * What is found and no rule shows is granted by itself, and nothing else of its directory. A script that no rule shows is
 * passed over if PATH has another: what it calls would not be shown either, as with version managers' shims.
 */
import { closeSync, constants, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { constants as system } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { CODE_RUNNER, codeRunnerPath } from '../code-runner-path.js';
import { failureOfProgram, SpawnFailed } from '../errors.js';
import type { Identity } from '../identity.js';
import { errorName } from '../system-error.js';
import { isWithin, moved, type Operation } from './operations.js';
import { shellHint } from './shell-hint.js';

export interface Executable {
  /** Real path on the host. */
  path: string;
  /** What is executed, inside. */
  inside: string;
  /** The path by which it was found, on the host; it may be a link. */
  link: string;
  /** No rule shows it: it has to be granted at its own path. */
  isHidden: boolean;
}

const { ENOENT, ENOTDIR, EACCES, EISDIR, ENOEXEC } = system.errno;

/** What a path of the host is called inside; undefined if it is not there. */
export function insideName(operations: readonly Operation[], path: string): string | undefined {
  let found: string | undefined;
  for (const operation of operations)
    if (operation.kind === 'grant' && isWithin(path, operation.source))
      found = moved(path, operation.source, operation.target);
  const name = found;
  if (name === undefined) return undefined;
  const isDenied = operations.some(({ kind, target }) => kind === 'hide' && isWithin(name, target));
  return isDenied ? undefined : name;
}

/**
 * `command`: a path if it has a slash, else a name for `searchPath`. Throws `SpawnFailed`: with ENOENT if there is no such file, with
 * EACCES, EISDIR or another if it is there and cannot be executed.
 */
export function findExecutable(
  command: string,
  operations: readonly Operation[],
  identity: Identity,
  searchPath: string,
): Executable {
  if (command.includes('/')) return examine(resolve(command), command, operations, identity);
  let failure: unknown;
  let script: Executable | undefined;
  for (const directory of searchPath.split(delimiter)) {
    try {
      const executable = examine(resolve(directory, command), command, operations, identity);
      if (!(executable.isHidden && startsWith(executable.path, '#!'))) return executable;
      script ??= executable;
    } catch (error) {
      if ((error as SpawnFailed).errno !== ENOENT) failure ??= error;
    }
  }
  if (script !== undefined) return script;
  if (command === CODE_RUNNER && failure === undefined)
    return examine(codeRunnerPath(), command, operations, identity);
  throw failure ?? failed(command, `is in no directory of PATH${shellHint(command)}`, ENOENT);
}

function examine(
  path: string,
  command: string,
  operations: readonly Operation[],
  identity: Identity,
): Executable {
  let status: Stats;
  let real: string;
  try {
    status = statSync(path);
    real = realpathSync(path);
  } catch (error) {
    const { errno = 0, code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    throw failed(
      command,
      isMissing ? `does not exist${shellHint(command)}` : `cannot be looked at (${code})`,
      isMissing ? ENOENT : -errno,
    );
  }
  if (status.isDirectory()) throw failed(command, 'is a directory', EISDIR);
  if (!status.isFile()) throw failed(command, 'is not a file', EACCES);
  if (!mayExecute(status, identity))
    throw failed(command, `is not executable for user ${identity.user} (mode ${octal(status.mode)})`, EACCES);
  // A program may go by the name of the link that it was called by.
  const link = join(realpathSync(dirname(path)), basename(path));
  const inside = insideName(operations, real);
  const linkInside = insideName(operations, link);
  const name = inside === real && linkInside === link ? link : inside;
  return name === undefined
    ? { path: real, inside: real, link, isHidden: true }
    : { path: real, inside: name, link, isHidden: false };
}

function mayExecute({ mode, uid, gid }: Stats, { user, groups }: Identity): boolean {
  if (uid === user) return (mode & constants.S_IXUSR) !== 0;
  if (groups.includes(gid)) return (mode & constants.S_IXGRP) !== 0;
  return (mode & constants.S_IXOTH) !== 0;
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

function failed(command: string, what: string, errno: number): SpawnFailed {
  return new SpawnFailed(`the command ${JSON.stringify(command)} ${what}`, 0, errno, {
    failure: failureOfProgram(errno),
  });
}

/** The first line of a script, after `#!`; undefined if it is none, or cannot be read. */
function interpreterOf(path: string): string | undefined {
  const start = readStart(path, 256);
  if (!start?.startsWith('#!')) return undefined;
  return start.slice(2).split('\n', 1)[0]?.trim().split(/[ \t]/, 1)[0];
}

function startsWith(path: string, text: string): boolean {
  return readStart(path, text.length) === text;
}

function readStart(path: string, length: number): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(length);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, length, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Why the kernel would not execute what was found, as the exec's errno leaves open. */
export function describeExecuteFailure(path: string, errno: number): string {
  const interpreter = interpreterOf(path);
  switch (errno) {
    case ENOENT:
    case ENOTDIR:
      return interpreter === undefined
        ? `${path} needs a dynamic linker that the policy does not show: grant "minimal-runtime"`
        : `the interpreter of the script ${path}, ${interpreter}, is not in the sandbox`;
    case ENOEXEC:
      return `${path} is no program: a script begins with #! and its interpreter, as in #!/bin/sh`;
    case EACCES:
      return `${path} may not be executed by the sandbox's user${interpreter === undefined ? '' : `, or its interpreter ${interpreter} may not`}`;
    default:
      return `${path} could not be executed (${errorName(errno)})`;
  }
}
