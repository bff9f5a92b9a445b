/**
 * From resolved rules to the operations that build a root in which they hold. It asks the evaluator at every path that a rule
 * names, and mounts where the answer changes, so that what is enforced is what `evaluate` says. Must not know how an operation
 * is carried out.
 *
 * A mount stays with the directory entry that it was mounted on: a denied file that is mounted over cannot be renamed, removed or
 * linked to. The directories above it could be, and a new one be put in their place; so within what is writable each of them
 * is mounted on itself, which holds it in place too.
 */
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { evaluate, type Permission, PolicyError, type ResolvedRule } from '../../policy/index.js';
import type { MissingCapability } from '../errors.js';
import { Disk } from './disk.js';
import { byPath, isWithin, moved, type Operation } from './operations.js';
import { RuleIndex } from './rule-index.js';

/** Where the sandbox has its workspace and its private temp. */
export const WORKSPACE = '/workspace';
export const TEMP = '/tmp';

/** What rules of the temp are resolved to: no path of the host, since the temp is none. */
export const TEMP_PLACE = '/.wardenpool/temp';
/** The same for the workspace of a command that was given none. */
export const WORKSPACE_PLACE = '/.wardenpool/workspace';

export interface RootRequest {
  rules: readonly ResolvedRule[];
  /** Real path of the workspace on the host; undefined for an empty one, made for this command. */
  workspace: string | undefined;
  tempBytes: number;
  tempInodes: number;
}

export interface Root {
  operations: Operation[];
  /** What of the rules no mount can enforce. */
  missing: MissingCapability[];
}

/** One part of the host as the sandbox sees it: paths within `from` are called as if that were `to`. */
interface View {
  from: string;
  to: string;
  /** Rules that make something visible in this view. */
  shows(rule: ResolvedRule): boolean;
  /** How the view's own root comes to be, where it is no mount of the host. */
  temporary?: Extract<Operation, { kind: 'temporary' }>;
  owner?: { user: number; group: number };
}

/** Throws `PolicyError` if what a rule names is no longer what it was when the rule was resolved. */
export function buildRoot({ rules, workspace, tempBytes, tempInodes }: RootRequest): Root {
  const root: Root = { operations: [], missing: [] };
  const isOfHost = ({ root: where }: ResolvedRule) =>
    where !== 'temp' && (where !== 'workspace' || workspace !== undefined);
  const ofHost = new RuleIndex(rules.filter(isOfHost));
  const empty = { bytes: tempBytes, entries: tempInodes };
  // The temp first: what the host has in a directory of the same name may be granted inside of it.
  addView(root, new RuleIndex(rules.filter((rule) => rule.root === 'temp')), {
    from: TEMP_PLACE,
    to: TEMP,
    shows: () => true,
    temporary: { kind: 'temporary', target: TEMP, ...empty },
  });
  addView(root, ofHost, {
    from: '/',
    to: '/',
    shows: (rule) => rule.root === 'host' || rule.root === 'minimal-runtime',
  });
  if (workspace === undefined) {
    addView(root, new RuleIndex(rules.filter((rule) => rule.root === 'workspace')), {
      from: WORKSPACE_PLACE,
      to: WORKSPACE,
      shows: () => true,
      temporary: { kind: 'temporary', target: WORKSPACE, ...empty },
    });
  } else {
    const { uid: user, gid: group } = lstatSync(workspace);
    addView(root, ofHost, {
      from: workspace,
      to: WORKSPACE,
      shows: (rule) => isWithin(workspace, rule.path) || isWithin(rule.path, workspace),
      owner: { user, group },
    });
  }
  return root;
}

/** Paths of the sandbox that are its own, whatever the host has there. */
const OWN_PATHS: readonly string[] = [WORKSPACE, TEMP, '/proc', '/dev'];

/** The paths at which something may change in a view, parents first. */
function boundariesOf(rules: RuleIndex, view: View): string[] {
  const shows = (path: string) =>
    rules.about(path).some((rule) => (rule.access === 'read' || rule.access === 'write') && view.shows(rule));
  const boundaries = new Set(rules.paths.filter((path) => isWithin(path, view.from) && shows(path)));
  if (view.from !== '/' && shows(view.from)) boundaries.add(view.from);
  // The root is not the host's, and so what is granted of the host's root are its entries.
  if (boundaries.delete('/'))
    for (const name of readdirSync('/')) if (!OWN_PATHS.includes(`/${name}`)) boundaries.add(`/${name}`);
  return [...boundaries].sort(byPath);
}

function addView(root: Root, rules: RuleIndex, view: View): void {
  const disk = new Disk(view.from, view.temporary !== undefined);
  // Paths that something is mounted on, with what may be done there and below.
  const mounted = new Map<string, Permission>();
  for (const path of boundariesOf(rules, view)) {
    const about = rules.about(path);
    const status = disk.status(path);
    const target = moved(path, view.from, view.to);
    const itself = evaluate(about, path).permission;
    if (status?.isSymbolicLink()) {
      // Rules have real paths. Only the entries of the host's root, which no rule names, may be links.
      if (rules.at(path).length > 0) throw becameLink(path);
      root.operations.push({ kind: 'link', target, to: readlinkSync(path) });
      continue;
    }
    const isDirectory = status?.isDirectory() ?? true;
    const exact = rules.at(path).find((rule) => rule.scope === 'exact');
    if (isDirectory && exact && itself !== permissionOfTree(about, path)) {
      root.missing.push(exactDirectory(path, exact));
      continue;
    }
    const above = mountAbove(mounted, path, view);
    const before = above === undefined ? 'none' : (mounted.get(above) ?? 'none');
    if (itself === before) continue;
    if (status === undefined && before !== 'read-write') {
      // Nothing is there, and nothing can be made there.
      if (before === 'read') root.operations.push({ kind: 'absent', target });
      continue;
    }
    if (above !== undefined && before === 'read-write') pinAbove(root, mounted, view, disk, path, above);
    if (status === undefined) {
      const staysAbsent = disk.isBelowFile(path); // a file that is held in place: nothing can be made below it
      root.operations.push({ kind: staysAbsent ? 'absent' : 'hold-place', target });
      if (staysAbsent) continue;
    }
    if (isWithin(path, '/proc') && itself !== 'none') {
      root.missing.push(hostProc(path));
      continue;
    }
    const source = view.temporary === undefined ? path : undefined;
    root.operations.push(...change(before, itself, { target, source, isDirectory, view }));
    mounted.set(path, itself);
  }
}

function mountAbove(mounted: ReadonlyMap<string, Permission>, path: string, view: View): string | undefined {
  for (let at = path; at !== view.from && at !== '/'; ) {
    at = dirname(at);
    if (mounted.has(at)) return at;
  }
  return undefined;
}

/** What may be done with everything below `path`. */
function permissionOfTree(about: readonly ResolvedRule[], path: string): Permission {
  return evaluate(
    about.filter((rule) => rule.scope === 'tree'),
    path,
  ).permission;
}

/** What takes a path from what may be done above it to what may be done there. */
function change(
  before: Permission,
  after: Permission,
  place: { target: string; source: string | undefined; isDirectory: boolean; view: View },
): Operation[] {
  const { target, source, isDirectory, view } = place;
  const protect: Operation = { kind: 'write-protect', target, ...(source !== undefined && { source }) };
  if (after === 'none') return [{ kind: 'hide', target, directory: isDirectory }];
  if (view.temporary !== undefined && before === 'none')
    return [view.temporary, ...(after === 'read' ? [protect] : [])];
  if (before === 'read-write' || source === undefined) return [protect];
  const writable = after === 'read-write';
  return [
    {
      kind: 'grant',
      target,
      source,
      writable,
      ...(isWithin(source, '/dev') && { devices: true }),
      ...(view.owner && { owner: view.owner }),
    },
  ];
}

/** Holds the directories between a mount that is writable and something in it that is not. */
function pinAbove(
  root: Root,
  mounted: Map<string, Permission>,
  view: View,
  disk: Disk,
  path: string,
  held: string,
): void {
  const between: string[] = [];
  for (let parent = dirname(path); parent !== held && isWithin(parent, held); parent = dirname(parent))
    between.unshift(parent);
  for (const parent of between) {
    const target = moved(parent, view.from, view.to);
    if (disk.status(parent) === undefined) {
      if (disk.isBelowFile(parent)) return;
      root.operations.push({ kind: 'hold-place', target });
    }
    root.operations.push({ kind: 'pin', target, ...(view.temporary === undefined && { source: parent }) });
    mounted.set(parent, 'read-write');
  }
}

function exactDirectory(path: string, { access }: ResolvedRule): MissingCapability {
  return {
    capability: `fs-${access}`,
    reason: `the rule "${access}" is for exactly ${path}, which is a directory: a mount confines a directory with all that is in it`,
    remedy: 'name files, or use "scope": "tree"',
  };
}

function hostProc(path: string): MissingCapability {
  return {
    capability: 'process-tree',
    reason: `${path} is in the procfs of the host, which shows the host's processes`,
    remedy: 'leave the rule out: with "minimal-runtime" a command has a procfs of its own',
  };
}

function becameLink(path: string): PolicyError {
  const problem = `${path} became a link while the policy was resolved: somebody else changes what the policy names; try again`;
  return new PolicyError(problem, undefined, 'ERR_POLICY_UNRESOLVED');
}
