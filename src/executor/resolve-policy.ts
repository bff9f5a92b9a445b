/**
 * A compiled policy on this machine: the real paths of its rules, at this moment. What changes on disk afterwards is the
 * backend's to withstand. Must not know how rules are enforced.
 */
import { statSync } from 'node:fs';
import { decidingRules, findConflict } from '../policy/conflict.js';
import { PolicyConflictError, PolicyError, ruleText } from '../policy/errors.js';
import { compareBytes, isWithin, joinPath, splitPath } from '../policy/paths.js';
import type { CanonicalPolicy, CanonicalRule, ResolvedRule } from '../policy/policy.js';
import { ACCESSES, byTarget, mergedAccesses, SCOPES } from '../policy/rules.js';
import { type Followed, follow, linkText, realPath } from './real-path.js';
import { checkPlaces, checkRules, type PolicyPlaces } from './resolve-arguments.js';

/**
 * The rules of `policy` with real paths, one target merged to one grant and one denial, sorted by the bytes of their paths.
 *
 * - A link on the way of a rule of the workspace may not lead out of it. Only what the system calls ENOENT or ENOTDIR is missing.
 * - A grant of what is missing is an error, or left out with `missing: 'skip'`. A deny or deny-write of what is missing is
 *   kept in either case, with `protectCreate` and the part that exists as its real path.
 * - A rule of the minimal runtime becomes one for each of its places.
 *
 * Throws PolicyError (`ERR_POLICY_UNRESOLVED`), which names rule and path, and PolicyConflictError if a reader for whom the most
 * specific rule wins would understand the resolved rules differently; for arguments that are none, PolicyError (`ERR_POLICY_INVALID`)
 * and InvalidOptionError.
 */
export function resolvePolicy(policy: Pick<CanonicalPolicy, 'rules'>, places: PolicyPlaces): ResolvedRule[] {
  const checkedPlaces = checkPlaces(places);
  const rules = merged(checkRules(policy).flatMap((rule) => resolveRule(rule, checkedPlaces)));
  const conflict = findConflict(rules);
  if (conflict !== undefined) {
    const { path, before, after } = conflict;
    throw new PolicyConflictError(path, before, after, decidingRules(rules, conflict));
  }
  return rules;
}

function resolveRule(rule: CanonicalRule, places: PolicyPlaces): ResolvedRule[] {
  const parts = rule.path.split('/').filter((part) => part !== '');
  switch (rule.root) {
    case 'minimal-runtime':
      return places.minimalRuntime.flatMap((place) => {
        const path = looking(rule, place, () => realPath(absolute(place, 'a place of the minimal runtime')));
        return path === undefined ? [] : [resolved(rule, path)];
      });
    case 'workspace':
      if (places.hasWorkspace === false)
        return inTemp(rule, absolute(places.workspace, 'the workspace'), parts);
      return onDisk(rule, workspaceDirectory(rule, places.workspace), parts);
    case 'temp':
      return inTemp(rule, absolute(places.temp, 'the temp directory'), parts);
    case 'host':
      return onDisk(rule, '/', parts);
  }
}

function onDisk(rule: CanonicalRule, root: string, parts: readonly string[]): ResolvedRule[] {
  const refuseEscape = (link: string, target: string): void => {
    if (isWithin(target, root)) return;
    fail(
      rule,
      `the link ${link} leads to ${target}, out of the ${rule.root} ${root}; name ${target} by an absolute path`,
    );
  };
  const found = looking(rule, joinPath(root, parts), () => follow(root, parts, refuseEscape));
  if (found.missing.length === 0) return [resolved(rule, found.existing)];
  return whatIsMissing(rule, found);
}

function inTemp(rule: CanonicalRule, temp: string, parts: readonly string[]): ResolvedRule[] {
  if (parts.length === 0) return [resolved(rule, temp)];
  return whatIsMissing(rule, { existing: temp, missing: parts, danglingLink: undefined });
}

function whatIsMissing(rule: CanonicalRule, { existing, missing, danglingLink }: Followed): ResolvedRule[] {
  const path = joinPath(existing, missing);
  if (rule.access === 'read' || rule.access === 'write') {
    if (rule.missing === 'skip') return [];
    const remedy =
      rule.root === 'temp'
        ? 'temp is empty when a command starts; grant the whole of it'
        : 'create it, or give the rule "missing": "skip"';
    fail(rule, `${path} does not exist: ${remedy}`);
  }
  if (danglingLink !== undefined) {
    const target = linkText(danglingLink);
    fail(
      rule,
      `the link ${danglingLink} leads to ${target}, which does not exist; remove the link, or deny its target`,
    );
  }
  return [{ ...resolved(rule, path), protectCreate: true }];
}

function resolved({ access, scope, root }: CanonicalRule, path: string): ResolvedRule {
  return { access, scope, path, root, protectCreate: false };
}

function workspaceDirectory(rule: CanonicalRule, workspace: string): string {
  const path = absolute(workspace, 'the workspace');
  return looking(rule, path, () => {
    const real = realPath(path);
    if (real === undefined) fail(rule, `the workspace ${path} does not exist; create it`);
    if (!statSync(real).isDirectory())
      fail(rule, `the workspace ${path} is not a directory; name its directory`);
    return real;
  });
}

function absolute(path: string, what: string): string {
  const split = splitPath(path);
  const problem = 'problem' in split ? split.problem : 'it must be an absolute path';
  if ('problem' in split || !path.startsWith('/')) {
    throw new PolicyError(
      `${what} is ${JSON.stringify(path)}: ${problem}`,
      undefined,
      'ERR_POLICY_UNRESOLVED',
    );
  }
  return joinPath('/', split.parts);
}

/** What a look at the disk says; every error but one of ours becomes a PolicyError that names the rule. */
function looking<T>(rule: CanonicalRule, path: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    if (cause instanceof PolicyError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    fail(rule, `${path} cannot be followed: ${reason}`, { cause });
  }
}

function fail(rule: CanonicalRule, problem: string, options?: ErrorOptions): never {
  throw new PolicyError(
    `the rule ${ruleText(rule)}: ${problem}`,
    undefined,
    'ERR_POLICY_UNRESOLVED',
    options,
  );
}

/** Rules of different roots may have come to the same target: what holds for one target of a policy holds for it too. */
function merged(rules: readonly ResolvedRule[]): ResolvedRule[] {
  return [...byTarget(rules, ({ scope, path }) => `${scope} ${path}`).values()]
    .flatMap((group) =>
      mergedAccesses(new Set(group.map(({ access }) => access))).flatMap((access) => {
        const alike = group.filter((rule) => rule.access === access);
        return alike
          .slice(0, 1)
          .map((rule) => ({ ...rule, protectCreate: alike.some((one) => one.protectCreate) }));
      }),
    )
    .sort(
      (one, other) =>
        compareBytes(one.path, other.path) ||
        SCOPES.indexOf(one.scope) - SCOPES.indexOf(other.scope) ||
        ACCESSES.indexOf(one.access) - ACCESSES.indexOf(other.access),
    );
}
