/**
 * A file that is written after something ran that nobody vouches for. Where it is, and what kind of file, is settled before that by the
 * descriptors that are held here: whoever may write to a directory could put a link there meanwhile, or a FIFO that nobody reads. Must not
 * know what is written.
 */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  open,
  openSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { posix } from 'node:path';
import { getSystemErrorMap, promisify } from 'node:util';

const openAsync = promisify(open);
const writeAsync = promisify(writeFile);

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_WRONLY, W_OK, X_OK } = constants;
/** Holds a file without opening it: a FIFO waits for no reader. Node.js has no name for it; x86-64 and arm64 have this one. */
const O_PATH = 0o10000000;

const NEW_FILE_MODE = 0o666;

/** Paths are text of one character for each byte, which path functions leave alone. */
const toBytes = (path: string): Buffer => Buffer.from(path, 'latin1');
const shown = (path: string): string => toBytes(path).toString();

export class SettledFile {
  readonly #directory: number;
  /** Path of the directory, as it was. */
  readonly #location: string;
  readonly #name: string;
  /** A FIFO or a device. */
  #special: number | undefined;
  #mode = NEW_FILE_MODE;

  /**
   * There must be a regular file, a FIFO, a device, or nothing, in a directory whose path has no link in it: an earlier program may have
   * put a link there. Creates nothing. Throws an error whose message is a reason.
   */
  constructor(path: Buffer) {
    const written = path.toString('latin1');
    const slash = written.lastIndexOf('/');
    this.#name = written.slice(slash + 1);
    if (['', '.', '..'].includes(this.#name)) throw new Error('it is a directory: name a file in it');
    const parent = slash < 0 ? '.' : written.slice(0, slash + 1);
    try {
      this.#directory = openSync(toBytes(parent), O_PATH | O_DIRECTORY);
    } catch (error) {
      throw reasonOf(error);
    }
    try {
      this.#location = this.#locationNow();
      const expected = posix.resolve(readlinkSync('/proc/self/cwd', 'latin1'), parent);
      if (this.#location !== expected)
        throw new Error(
          `its directory is reached through a link, which a program may have put there: name it as ${shown(posix.join(this.#location, this.#name))}`,
        );
      this.#look();
    } catch (error) {
      this.close();
      throw reasonOf(error);
    }
  }

  /**
   * What is there now under that name is replaced, and never followed; a FIFO or a device that was there from the beginning is written to, once
   * somebody reads it. Rejects with an error whose message is a reason; if it could be written, but not there, that says where it is.
   */
  async write(text: string): Promise<void> {
    try {
      if (this.#special === undefined) this.#replace(text);
      else await writeOpened(`/proc/self/fd/${this.#special}`, text);
    } catch (error) {
      throw reasonOf(error);
    }
  }

  close(): void {
    if (this.#special !== undefined) closeSync(this.#special);
    closeSync(this.#directory);
  }

  /** Of a name in the directory, wherever that is by now. */
  #pathOf(name: string): Buffer {
    return toBytes(`/proc/self/fd/${this.#directory}/${name}`);
  }

  #locationNow(): string {
    return readlinkSync(`/proc/self/fd/${this.#directory}`, 'latin1');
  }

  #look(): void {
    let file: number | undefined;
    try {
      file = openSync(this.#pathOf(this.#name), O_PATH | O_NOFOLLOW);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    if (file === undefined) {
      accessSync(this.#pathOf('.'), W_OK | X_OK);
      return;
    }
    // Held from here on, so that close() knows of it.
    this.#special = file;
    const stats = fstatSync(file);
    if (stats.isSymbolicLink())
      throw new Error('it is a link, which a program may have put there: name its target');
    if (stats.isDirectory()) throw new Error('it is a directory: name a file in it');
    if (stats.isSocket())
      throw new Error('it is a socket: name a file or a FIFO, or a descriptor as /dev/fd/N');
    if (stats.isFile()) {
      this.#special = undefined;
      closeSync(file);
      accessSync(this.#pathOf('.'), W_OK | X_OK);
      this.#mode = stats.mode & 0o777;
    } else {
      accessSync(`/proc/self/fd/${file}`, W_OK);
    }
  }

  #replace(text: string): void {
    const temporary = `wardenpool-${randomUUID()}`;
    const path = this.#pathOf(temporary);
    const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, this.#mode);
    try {
      writeFileSync(file, text);
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      closeSync(file);
    }
    try {
      renameSync(path, this.#pathOf(this.#name));
    } catch (error) {
      const place = posix.join(this.#locationNow(), temporary);
      throw new Error(`${reasonOf(error).message}; it is in ${shown(place)} instead`);
    }
    const location = this.#locationNow();
    if (location !== this.#location)
      throw new Error(`its directory was moved meanwhile: it is ${shown(posix.join(location, this.#name))}`);
  }
}

async function writeOpened(path: string, text: string): Promise<void> {
  const file = await openAsync(path, O_WRONLY);
  try {
    await writeAsync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Without paths of /proc, which nobody wrote. */
function reasonOf(error: unknown): Error {
  const { errno, message } = error as NodeJS.ErrnoException;
  const [code, meaning] = (errno === undefined ? undefined : getSystemErrorMap().get(errno)) ?? [];
  return code === undefined
    ? new Error(message, { cause: error })
    : new Error(`${code}: ${meaning}`, { cause: error });
}
