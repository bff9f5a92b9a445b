/** Paths of rules: their normal form, and which path lies below which. Texts alone; must not know a file system. */
import { MAX_PATH_BYTES } from './policy.js';

/** The `/`-separated parts of a path, without the empty ones and `.`; `problem` says why it has none, to follow the path and a colon. */
export type PathParts = { readonly parts: string[] } | { readonly problem: string };

export function splitPath(path: string): PathParts {
  if (typeof path !== 'string') return { problem: 'a path is a text' };
  if (path.includes('\0')) return { problem: 'a path cannot have a NUL character; remove it' };
  if (/\p{Surrogate}/u.test(path)) {
    return { problem: 'half a surrogate pair has no UTF-8 form; write whole characters' };
  }
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_PATH_BYTES) {
    return { problem: `it has ${bytes} bytes; a path has at most ${MAX_PATH_BYTES}` };
  }
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    return { problem: '".." leads out of what a rule names; write the path without it' };
  }
  return { parts };
}

/** `parent` and `parts` as one path; `parent` is absolute, and may be `/`. */
export function joinPath(parent: string, parts: readonly string[]): string {
  if (parts.length === 0) return parent;
  return `${parent === '/' ? '' : parent}/${parts.join('/')}`;
}

/** True if `path` is `ancestor`, or lies below it: by whole parts, so that `/ab` is not below `/a`. Both absolute and normal. */
export function isWithin(path: string, ancestor: string): boolean {
  if (!path.startsWith(ancestor)) return false;
  return path.length === ancestor.length || ancestor === '/' || path[ancestor.length] === '/';
}

/** True if a rule on `target` applies to `path`. */
export function covers(
  rule: { readonly scope: 'tree' | 'exact'; readonly path: string },
  path: string,
): boolean {
  return rule.scope === 'tree' ? isWithin(path, rule.path) : rule.path === path;
}

/** Order of the UTF-8 bytes, which is not that of JavaScript's strings. */
export function compareBytes(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
