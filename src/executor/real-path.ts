/** Paths as the file system has them at this moment: links followed, one part after the other. Must not know rules. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { joinPath } from '../policy/paths.js';

/** How far a path leads. */
export interface Followed {
  /** Absolute, without links; exists. */
  readonly existing: string;
  /** The parts that do not exist below it, as they were written; empty if the whole path exists. */
  readonly missing: readonly string[];
  /** The link where the path ends early, if it is a link without a target. */
  readonly danglingLink: string | undefined;
}

/** Calls `onLink` for each link on the way, which leads to the real path `target`. Throws what the system says, but for what is missing. */
export function follow(
  root: string,
  parts: readonly string[],
  onLink: (link: string, target: string) => void = () => {},
): Followed {
  let existing = root;
  for (const [index, part] of parts.entries()) {
    const path = joinPath(existing, [part]);
    const isLink = unlessMissing(() => lstatSync(path).isSymbolicLink());
    const target = isLink === true ? unlessMissing(() => realpathSync.native(path)) : path;
    if (isLink === undefined || target === undefined) {
      return { existing, missing: parts.slice(index), danglingLink: isLink === true ? path : undefined };
    }
    if (isLink) onLink(path, target);
    existing = target;
  }
  return { existing, missing: [], danglingLink: undefined };
}

/** The real path; undefined if it does not exist. Throws what the system says of anything else. */
export function realPath(path: string): string | undefined {
  return unlessMissing(() => realpathSync.native(path));
}

/** The real path of the part that exists, and the rest as it was written. `path` is absolute. */
export function realPathAsFarAsItExists(path: string): string {
  const { existing, missing } = follow(
    '/',
    path.split('/').filter((part) => part !== ''),
  );
  return joinPath(existing, missing);
}

/** Where a link points, as it was made. */
export function linkText(link: string): string {
  return readlinkSync(link);
}

/** Only these two say that something is not there: every other error may hide that it is. */
function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
