/** What one path has under resolved rules, and why. Must not know the file system: links are not followed here. */
import { describeJson } from './describe.js';
import { PolicyError } from './errors.js';
import { covers, joinPath, splitPath } from './paths.js';
import type { Access, Permission, ResolvedRule } from './policy.js';
import { ACCESSES, SCOPES } from './rules.js';

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
 * `path` is absolute; `//` and `.` are collapsed. Throws PolicyError for any other, for one with `..`, and for rules that are not resolved.
 */
export function evaluate(rules: readonly RuleOfPath[], path: string): Evaluation {
  const normal = absolutePath(path);
  return decide(accessesAt(normal, rules));
}

function accessesAt(path: string, rules: readonly RuleOfPath[]): ReadonlySet<Access> {
  const accesses = new Set<Access>();
  try {
    if (!Array.isArray(rules)) throw notResolved('what it was given', rules);
    for (const [index, rule] of rules.entries()) {
      const { access, scope, path: target } = (rule ?? {}) as RuleOfPath;
      // Those of a policy that was not resolved name places of no machine, and would never apply.
      const isResolved = typeof target === 'string' && target.startsWith('/');
      if (!isResolved || !ACCESSES.includes(access) || !SCOPES.includes(scope))
        throw isResolved
          ? notResolved(`rule ${index}`, rule)
          : notResolved(`the path of rule ${index}`, target);
      if (covers({ scope, path: target }, path)) accesses.add(access);
    }
  } catch (cause) {
    if (cause instanceof PolicyError) throw cause;
    throw new PolicyError('the rules of evaluate() cannot be read', undefined, 'ERR_POLICY_INVALID', {
      cause,
    });
  }
  return accesses;
}

function notResolved(what: string, value: unknown): PolicyError {
  return new PolicyError(
    `evaluate() takes resolved rules, and ${what} is ${describeJson(value)}: pass what resolvePolicy() gives`,
  );
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
  if (!('parts' in split)) throw new PolicyError(`the path ${describeJson(path)}: ${split.problem}`);
  if (!path.startsWith('/')) {
    throw new PolicyError(`the path ${JSON.stringify(path)} is not absolute: resolve it first`);
  }
  return joinPath('/', split.parts);
}
