/**
 * What a command's root is built of: operations in their order, each with a path inside the sandbox. A plan is a list of them;
 * a backend carries them out, or turns them into the options of a tool that does. Must not know either.
 */

/** Modes and numbers as the kernel has them; paths absolute and without links. */
export type Operation =
  | { kind: 'directory'; target: string; mode: number }
  | { kind: 'file'; target: string; mode: number; content: string }
  /** A symbolic link. */
  | { kind: 'link'; target: string; to: string }
  /** The host's `source`, with all that is mounted below it. */
  | {
      kind: 'grant';
      target: string;
      source: string;
      writable: boolean;
      /** Device nodes in it work. */
      devices?: boolean;
      /** Where the host is root: who becomes the sandbox's user in it, and the reverse. */
      owner?: { user: number; group: number };
    }
  /** An empty file system of this command alone, in memory: at most so many bytes, and so many entries, itself included. */
  | { kind: 'temporary'; target: string; bytes: number; entries: number }
  | { kind: 'proc'; target: string }
  /** What is there can no longer be read. */
  | { kind: 'hide'; target: string; directory: boolean }
  /** What is there can no longer be written; `source`: the same on the host, if it is of the host. */
  | { kind: 'write-protect'; target: string; source?: string }
  /** The directory cannot be renamed or removed. */
  | { kind: 'pin'; target: string; source?: string }
  /** Nothing is there, and nothing can be made there; its place is taken for as long as the command runs. */
  | { kind: 'hold-place'; target: string }
  /** Nothing is there; if there is something when the root is built, nothing is started. */
  | { kind: 'absent'; target: string };

/** Whether `path` is `directory` or below it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

/** `path`, which is within `from`, as it is called where `from` is called `to`. */
export function moved(path: string, from: string, to: string): string {
  const rest = path.slice(from === '/' ? 0 : from.length);
  return to === '/' ? rest || '/' : rest === '/' ? to : `${to}${rest}`;
}

/** Parents before what is below them. */
export function byPath(left: string, right: string): number {
  const a = left.split('/');
  const b = right.split('/');
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [x = '', y = ''] = [a[index], b[index]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return a.length - b.length;
}
