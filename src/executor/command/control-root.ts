/**
 * Private directories of one command on the host's disk, for a backend that has no file system of its own to give. What the
 * command leaves in them is hostile: it is removed by a process that has no more rights than the command had. Must not know what
 * they are for.
 */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executablePath } from '../addon.js';
import { SpawnFailed } from '../errors.js';
import type { Identity } from '../identity.js';

/** The longest that removing one directory may take, milliseconds. */
const REMOVE_MS = 60_000;

export class ControlRoot<Name extends string> {
  readonly #path: string;
  readonly #names: readonly Name[];

  /**
   * A directory for each name, mode 0700 and owned by `identity`, in one with a name that nobody can guess. Throws `SpawnFailed`
   * if the disk says no.
   */
  constructor(identity: Identity, names: readonly Name[]) {
    this.#names = names;
    try {
      this.#path = mkdtempSync(join(tmpdir(), 'wardenpool-'));
      const isOurs = identity.user === process.geteuid?.();
      // Where the command is another user than we are, it may pass through and change nothing in it.
      if (!isOurs) chmodSync(this.#path, 0o711);
      for (const name of names) {
        mkdirSync(this.directory(name), { mode: 0o700 });
        if (!isOurs) chownSync(this.directory(name), identity.user, identity.groups[0] ?? identity.user);
      }
    } catch (error) {
      const { message, errno = 0 } = error as NodeJS.ErrnoException;
      throw new SpawnFailed(`the command's private directories could not be made: ${message}`, 0, -errno);
    }
  }

  directory(name: Name): string {
    return join(this.#path, name);
  }

  /** All of it, whatever is in it. Never rejects: what could not be removed is a warning of this process. */
  async remove(): Promise<void> {
    try {
      for (const name of this.#names) await removeDirectory(this.directory(name));
      await rmdir(this.#path);
    } catch (error) {
      process.emitWarning(
        `the private directory ${this.#path} of a command could not be removed: ${(error as Error).message}`,
        'WardenpoolWarning',
      );
    }
  }
}

async function removeDirectory(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch {
    // Not empty. The launcher's binary empties it as the user that filled it: no name is too long for it, nor any tree too deep.
    await promisify(execFile)(executablePath('wardenpool-launcher'), ['remove', path], {
      env: {},
      timeout: REMOVE_MS,
      killSignal: 'SIGKILL',
    });
    await rmdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
