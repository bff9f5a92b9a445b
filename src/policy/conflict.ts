/**
 * Finds rules that a reader for whom the most specific rule wins would understand differently: a read below a write, which takes
 * nothing away here, and a grant below a deny, which gives nothing back. Must not know which rules are meant.
 *
 * deny-write has one reading only, and is left out: beside it, grants and denies are judged as if it were not there.
 *
 * Both readings are the same for all paths between two targets of rules. So every target is looked at, and one path below each
 * that is no target itself: in one walk over the sorted targets, which remembers what their ancestors say.
 */
import type { RuleOfPath } from './evaluate.js';
import { covers, joinPath } from './paths.js';
import type { Access, Permission } from './policy.js';
import { byTarget, SCOPES } from './rules.js';

export interface Conflict {
  /** A path on which the readings differ: the first target in the order of the walk, or a path below it. */
  readonly path: string;
  /** If the most specific rule wins. */
  readonly before: Permission;
  /** As a deny is absolute and grants add up. */
  readonly after: Permission;
}

/** What one reading takes into account for a path: the accesses of all rules, or of the most specific alone. */
type Accesses = ReadonlySet<Access>;

interface Readings {
  readonly all: Accesses;
  readonly nearest: Accesses;
}

const NOTHING: Readings = { all: new Set(), nearest: new Set() };

/** The first conflict, whatever the order of the rules; undefined if there is none. Takes the time of sorting the rules. */
export function findConflict(rules: readonly RuleOfPath[]): Conflict | undefined {
  const targets = byTarget(judged(rules), ({ path }) => path);
  const ancestors: { key: string; below: Readings }[] = [];
  for (const { key, path, rules: own } of inOrder(targets)) {
    while (ancestors.length > 0 && !isBelow(key, ancestors.at(-1)?.key ?? '')) ancestors.pop();
    const above = ancestors.at(-1)?.below ?? NOTHING;
    const below = narrowed(above, own, 'tree');
    const here = narrowed(below, own, 'exact');
    ancestors.push({ key, below });
    const conflict = conflictOf(here);
    if (conflict !== undefined) return { path, ...conflict };
    const conflictBelow = conflictOf(below);
    if (conflictBelow !== undefined) return { path: pathBelow(path, targets), ...conflictBelow };
  }
  return undefined;
}

/** Of the rules among which findConflict() found `conflict`, the one that decides each reading. Throws for other rules. */
export function decidingRules<R extends RuleOfPath>(
  rules: readonly R[],
  { path, before, after }: Conflict,
): { before: R; after: R } {
  const applying = judged(rules)
    .filter((rule) => covers(rule, path))
    .sort(
      (one, other) =>
        one.path.length - other.path.length || SCOPES.indexOf(other.scope) - SCOPES.indexOf(one.scope),
    );
  const deciding: Record<Permission, Access> = { none: 'deny', read: 'read', 'read-write': 'write' };
  const mostSpecific = applying.findLast(({ access }) => access === deciding[before]);
  const broadest = applying.find(({ access }) => access === deciding[after]);
  if (mostSpecific === undefined || broadest === undefined) {
    throw new RangeError(
      `no rule gives ${before} and ${after} on ${path}: pass the rules that are in conflict`,
    );
  }
  return { before: mostSpecific, after: broadest };
}

function judged<R extends RuleOfPath>(rules: readonly R[]): R[] {
  return rules.filter(({ access }) => access !== 'deny-write');
}

/** By their parts, so that what lies below a path follows it at once: NUL, which no path has, sorts before everything else. */
function inOrder(
  targets: ReadonlyMap<string, RuleOfPath[]>,
): { key: string; path: string; rules: RuleOfPath[] }[] {
  return [...targets]
    .map(([path, rules]) => ({ key: path === '/' ? '' : path.split('/').join('\0'), path, rules }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

function isBelow(key: string, ancestor: string): boolean {
  return ancestor === '' || key.startsWith(`${ancestor}\0`);
}

function narrowed(readings: Readings, rules: readonly RuleOfPath[], scope: RuleOfPath['scope']): Readings {
  const own = rules.filter((rule) => rule.scope === scope).map(({ access }) => access);
  return own.length === 0 ? readings : { all: new Set([...readings.all, ...own]), nearest: new Set(own) };
}

function conflictOf({ all, nearest }: Readings): Omit<Conflict, 'path'> | undefined {
  const before = permissionOf(nearest);
  const after = permissionOf(all);
  return before === after ? undefined : { before, after };
}

function permissionOf(accesses: Accesses): Permission {
  if (accesses.has('deny')) return 'none';
  if (accesses.has('write')) return 'read-write';
  return accesses.has('read') ? 'read' : 'none';
}

function pathBelow(path: string, targets: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number++) {
    const below = joinPath(path, [number === 1 ? 'file' : `file-${number}`]);
    if (!targets.has(below)) return below;
  }
}
