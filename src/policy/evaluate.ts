/** What one path has under resolved rules, and why. Must not know the file system: links are not followed here. */
import { PolicyError } from './errors.js';
import { covers, joinPath, splitPath } from './paths.js';
import type { Access, Permission, ResolvedRule } from './policy.js';

export type RuleOfPath = Pick<ResolvedRule, 'access' | 'scope' | 'path'>;

export type PermissionReason = 'default-deny' | 'read-rule' | 'write-rule' | 'deny-rule' | 'deny-write-rule';

export interface Evaluation {
  readonly permission: Permission;
  readonly reason: PermissionReason;
}

/**
 * A deny that applies: nothing. Otherwise a write without a deny-write: read and write. Otherwise a read, or a write with a
 * deny-write: read. Otherwise nothing. Neither the order of the rules nor how specific they are matters.
 *
 * `path` is absolute; `//` and `.` are collapsed. Throws PolicyError for any other, and for one with `..`.
 */
export function evaluate(rules: readonly RuleOfPath[], path: string): Evaluation {
  const normal = absolutePath(path);
  return decide(new Set(rules.filter((rule) => covers(rule, normal)).map(({ access }) => access)));
}

function decide(accesses: ReadonlySet<Access>): Evaluation {
  if (accesses.has('deny')) return { permission: 'none', reason: 'deny-rule' };
  if (accesses.has('write') && !accesses.has('deny-write'))
    return { permission: 'read-write', reason: 'write-rule' };
  if (accesses.has('write')) return { permission: 'read', reason: 'deny-write-rule' };
  if (accesses.has('read')) return { permission: 'read', reason: 'read-rule' };
  return { permission: 'none', reason: 'default-deny' };
}

function absolutePath(path: string): string {
  const split = splitPath(path);
  if (!('parts' in split)) throw new PolicyError(`the path ${JSON.stringify(path)}: ${split.problem}`);
  if (!path.startsWith('/')) {
    throw new PolicyError(`the path ${JSON.stringify(path)} is not absolute: resolve it first`);
  }
  return joinPath('/', split.parts);
}
