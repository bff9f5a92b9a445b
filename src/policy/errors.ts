/** Why there is no policy: one class for each thing that can be wrong, with a code that stays. */
import type { CanonicalRule, Permission, ResolvedRule } from './policy.js';

/**
 * - `ERR_POLICY_INVALID`: what was given is no policy: its text, its members, or its binary form.
 * - `ERR_POLICY_UNRESOLVED`: it is a policy, and this machine does not have what it names, or has a link where it may not be.
 */
export type PolicyErrorCode = 'ERR_POLICY_INVALID' | 'ERR_POLICY_UNRESOLVED';

/** What is wrong with a policy, where, and what to write instead. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';

  constructor(
    message: string,
    /** The member that is wrong, as in `filesystem.rules[3].path`; undefined if it is none, or not known. */
    readonly path?: string,
    readonly code: PolicyErrorCode = 'ERR_POLICY_INVALID',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A reader for whom the most specific rule wins would understand these rules differently. Nothing was reinterpreted. */
export class PolicyConflictError extends Error {
  override readonly name = 'PolicyConflictError';
  readonly code = 'ERR_POLICY_CONFLICT';

  constructor(
    /** A path on which the two readings differ: absolute. */
    readonly path: string,
    /** What it has if the most specific rule wins. */
    readonly before: Permission,
    /** What it has here, where a deny is absolute and grants add up. */
    readonly after: Permission,
    /** The rule that decides each reading. */
    readonly rules: { readonly before: ResolvedRule; readonly after: ResolvedRule },
  ) {
    const advice =
      after === 'none'
        ? 'narrow the deny rule, or remove the grant below it'
        : 'remove the read rule, or write deny-write to take writing away';
    super(
      `the rules can be read in two ways: ${path} has ${before} if the most specific rule wins (${ruleText(rules.before)}), ` +
        `and ${after} as a deny is absolute and grants add up (${ruleText(rules.after)}); ${advice}`,
    );
  }
}

/** A rule as messages name it: `read tree /srv/a`, or `deny tree workspace:.git` before it is resolved. */
export function ruleText(
  rule: Pick<CanonicalRule | ResolvedRule, 'access' | 'scope' | 'root' | 'path'>,
): string {
  const { access, scope, root, path } = rule;
  const target = path.startsWith('/') ? path : path === '' ? root : `${root}:${path}`;
  return `${access} ${scope} ${target}`;
}
