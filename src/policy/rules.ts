/** Rules of one target made one, and the order in which they stand. Knows paths as texts. */
import { compareBytes } from './paths.js';
import type { Access, CanonicalRule } from './policy.js';

/**
 * What is left of several rules on one target: a deny alone, or at most one grant (write over read) and one deny-write. In
 * this order.
 */
export function mergedAccesses(accesses: ReadonlySet<Access>): Access[] {
  if (accesses.has('deny')) return ['deny'];
  const left: Access[] = [];
  if (accesses.has('write')) left.push('write');
  else if (accesses.has('read')) left.push('read');
  if (accesses.has('deny-write')) left.push('deny-write');
  return left;
}

/** The rules by their target, as `targetOf` names it; targets in the order of their first rule. */
export function byTarget<R>(rules: readonly R[], targetOf: (rule: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const rule of rules) {
    const target = targetOf(rule);
    const group = groups.get(target);
    if (group === undefined) groups.set(target, [rule]);
    else group.push(rule);
  }
  return groups;
}

/** Each distinguishes by position: the numbers of the binary form. */
export const ROOTS = ['minimal-runtime', 'workspace', 'temp', 'host'] as const;
export const SCOPES = ['exact', 'tree'] as const;
export const MISSING = ['error', 'skip'] as const;
export const ACCESSES = ['read', 'write', 'deny', 'deny-write'] as const;

/** Merged, and sorted by root, bytes of the path, scope, missing and access. */
export function canonicalRules(rules: readonly CanonicalRule[]): CanonicalRule[] {
  const targetOf = ({ root, scope, missing, path }: CanonicalRule) => `${root} ${scope} ${missing} ${path}`;
  return [...byTarget(rules, targetOf).values()]
    .flatMap((group) => {
      const accesses = mergedAccesses(new Set(group.map(({ access }) => access)));
      return group.slice(0, 1).flatMap((rule) => accesses.map((access) => ({ ...rule, access })));
    })
    .sort(
      (one, other) =>
        ROOTS.indexOf(one.root) - ROOTS.indexOf(other.root) ||
        compareBytes(one.path, other.path) ||
        SCOPES.indexOf(one.scope) - SCOPES.indexOf(other.scope) ||
        MISSING.indexOf(one.missing) - MISSING.indexOf(other.missing) ||
        ACCESSES.indexOf(one.access) - ACCESSES.indexOf(other.access),
    );
}
