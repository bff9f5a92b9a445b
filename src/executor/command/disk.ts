/** What exists, and what is a directory: as far as a view of the host is concerned, each path looked at once. */
import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

export class Disk {
  readonly #isTemporary: boolean;
  readonly #root: string;
  readonly #known = new Map<string, Stats | undefined>();
  readonly #belowFile = new Map<string, boolean>();

  constructor(root: string, isTemporary: boolean) {
    this.#root = root;
    this.#isTemporary = isTemporary;
  }

  /** Undefined if it does not exist. A temporary is made for the command, and has only its root. */
  status(path: string): Stats | undefined {
    if (this.#isTemporary) return path === this.#root ? lstatSync('/') : undefined;
    if (!this.#known.has(path)) this.#known.set(path, statusOf(path));
    return this.#known.get(path);
  }

  /** Whether what is missing is so because something above it is no directory. */
  isBelowFile(path: string): boolean {
    const missing: string[] = [];
    let at = path;
    while (at !== this.#root && at !== '/' && this.status(at) === undefined && !this.#belowFile.has(at)) {
      missing.push(at);
      at = dirname(at);
    }
    const answer = this.#belowFile.get(at) ?? !(this.status(at)?.isDirectory() ?? true);
    for (const each of missing) this.#belowFile.set(each, answer);
    return answer;
  }
}

/** Of a place that a launcher holds for a command, or was killed before it removed: mirrors native/command/places.c. */
const PLACE_MODE = 0o1700;

/** Undefined too for what is there only because a command must not make it. */
function statusOf(path: string): Stats | undefined {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    return status?.isDirectory() && (status.mode & 0o7777) === PLACE_MODE ? undefined : status;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
