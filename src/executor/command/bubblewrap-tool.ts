/** Which `bwrap` there is, and whether it is recent enough. Must not know what it is told to do. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { MissingCapability, SpawnFailed } from '../errors.js';
import { sandboxIdentity } from '../identity.js';
import { findExecutable } from './executable.js';
import type { Operation } from './operations.js';

export interface BubblewrapTool {
  path: string;
  /** As it says, without its name. */
  version: string;
  /** 0.8 or later. */
  hasDisableUserNamespaces: boolean;
}

const VERSION_MS = 5_000;

/** It runs outside of what it makes, so that also a script of that name would do. */
const WHOLE_HOST: readonly Operation[] = [{ kind: 'grant', target: '/', source: '/', writable: true }];

/** The first `bwrap` of `searchPath`. Throws `SpawnFailed` if there is none that can be executed. */
export function findBubblewrap(searchPath: string): string {
  return findExecutable('bwrap', WHOLE_HOST, sandboxIdentity(), searchPath).path;
}

/** Asks it, as the user that it will be. Never rejects. */
export async function examineBubblewrap(path: string): Promise<BubblewrapTool | MissingCapability> {
  const { user, groups } = sandboxIdentity();
  const isAnother = user !== process.geteuid?.();
  let said: string;
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], {
      env: {},
      cwd: '/',
      timeout: VERSION_MS,
      killSignal: 'SIGKILL',
      ...(isAnother && { uid: user, gid: groups[0] ?? user }),
    });
    said = stdout.trim();
  } catch (error) {
    return unsuitable(`${path} does not tell its version: ${(error as Error).message.trim()}`);
  }
  const [, version = '', major = '', minor = ''] = /^bubblewrap ((\d+)\.(\d+)\S*)$/.exec(said) ?? [];
  if (version === '')
    return unsuitable(`${path} is no bubblewrap: it says ${JSON.stringify(said.slice(0, 80))}`);
  const isAtLeast = (least: number) => Number(major) > 0 || Number(minor) >= least;
  // Before, a tmpfs of bwrap could not be given a size.
  if (!isAtLeast(7)) return unsuitable(`${path} is bubblewrap ${version}, and 0.7 or later is needed`);
  return { path, version, hasDisableUserNamespaces: isAtLeast(8) };
}

export function noBubblewrap(error: SpawnFailed): MissingCapability {
  return unsuitable(error.message);
}

function unsuitable(reason: string): MissingCapability {
  return {
    capability: 'lifecycle',
    reason,
    remedy:
      'install bubblewrap 0.7 or later (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap)',
    backend: 'bubblewrap',
  };
}
