/**
 * The bubblewrap backend: `bwrap` makes the namespaces and the root, and executes our launcher in them as PID 1, which does the
 * rest as in the namespaces backend. It is for machines that let bwrap make user namespaces and nobody else, by its AppArmor
 * profile for one.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MissingCapability } from '../errors.js';
import { SpawnFailed } from '../errors.js';
import { filterInForce } from '../filter-in-force.js';
import type { Identity } from '../identity.js';
import type { Command, CommandBackend, PreparedCommand } from './backend.js';
import { bubblewrapOptions, LAUNCHER_INSIDE } from './bubblewrap-options.js';
import { type BubblewrapTool, examineBubblewrap, findBubblewrap, noBubblewrap } from './bubblewrap-tool.js';
import { ControlRoot } from './control-root.js';
import { CONFINEMENT } from './namespaces.js';
import { ToolDescriptor } from './plan-encoding.js';
import { tryBackend } from './trial.js';

export const bubblewrap: CommandBackend = {
  name: 'bubblewrap',
  isAutomatic: true,
  offers: new Set(CONFINEMENT.filter((capability) => capability !== 'fs-protect-create')),
  cannotLimit: new Set(['tempInodes']),
  // Our launcher outside, bwrap, and our launcher inside.
  ownProcesses: 3,
  lacks,
  prepare,
};

/** By their path: those that ran a trial command, and the trials; one that failed is made again. */
const usable = new Map<string, BubblewrapTool>();
const trials = new Map<string, Promise<readonly MissingCapability[]>>();

function find(): string {
  return findBubblewrap(process.env['PATH'] ?? '/usr/bin:/bin');
}

async function lacks(): Promise<readonly MissingCapability[]> {
  if (process.platform !== 'linux') return [NOT_LINUX];
  let path: string;
  try {
    path = find();
  } catch (error) {
    return [noBubblewrap(error as SpawnFailed)];
  }
  const known = trials.get(path) ?? tryTool(path);
  trials.set(path, known);
  const missing = await known;
  if (missing.length > 0) trials.delete(path);
  return missing;
}

async function tryTool(path: string): Promise<readonly MissingCapability[]> {
  const tool = await examineBubblewrap(path);
  if ('capability' in tool) return [tool];
  const missing = await tryWith(tool);
  if (missing.length === 0 || !tool.hasDisableUserNamespaces) return missing;
  // It writes to /proc/sys, which containers have read-only. The filter refuses user namespaces as well.
  const isUsable = (await tryWith({ ...tool, hasDisableUserNamespaces: false })).length === 0;
  return isUsable ? [] : missing;
}

async function tryWith(tool: BubblewrapTool): Promise<readonly MissingCapability[]> {
  const backend = { ...bubblewrap, prepare: (command: Command) => prepareWith(tool, command) };
  // Of the host, since our own binary may lie where the sandbox's user cannot reach it.
  const missing = await tryBackend(backend, () => ['/bin/sh', '-c', ':']);
  if (missing.length === 0) usable.set(tool.path, tool);
  return missing;
}

const NOT_LINUX: MissingCapability = {
  capability: 'lifecycle',
  reason: `bubblewrap is for Linux, and this is ${process.platform}`,
  remedy: 'use another backend',
  backend: 'bubblewrap',
};

function prepare(command: Command): PreparedCommand {
  const path = find();
  const tool = usable.get(path);
  if (tool === undefined)
    throw new SpawnFailed(`${path} has just taken the place of another bwrap: try again`, 0, 11);
  return prepareWith(tool, command);
}

function prepareWith(tool: BubblewrapTool, command: Command): PreparedCommand {
  const { identity, operations, options, writableRoot } = command;
  const isAnother = identity.user !== process.geteuid?.();
  if (isAnother) checkWorkspace(command);
  const privateNetwork = command.network === 'none';
  const toolOptions = bubblewrapOptions({
    operations,
    privateNetwork,
    writableRootBytes: writableRoot ? options.limits.tempBytes : undefined,
    disableUserNamespaces: tool.hasDisableUserNamespaces,
  });
  const directories = new ControlRoot(identity, ['temp']);
  // Our environment is for a process of ours: as another user's, it could be read by that user's other processes.
  const environment = {
    ...(isAnother ? {} : process.env),
    ...options.launcherEnvironment,
    TMPDIR: directories.directory('temp'),
  };
  return {
    version: tool.version,
    plan: {
      namespaces: true,
      privateNetwork,
      writableRoot,
      filter: true,
      limits: command.limits,
      rootBytes: 0,
      rootEntries: 0,
      executable: command.inside,
      directory: command.directory,
      arguments: command.arguments,
      environment: pairs(command.environment),
      operations,
      preserved: options.preserveFds,
      tool: {
        path: tool.path,
        arguments: [
          'bwrap',
          '--args',
          String(ToolDescriptor.options),
          '--',
          LAUNCHER_INSIDE,
          'command-inside',
        ],
        environment: pairs(environment),
        options: toolOptions,
      },
    },
    isolation: (facts) => ({
      namespaces: {
        user: 'private',
        mount: 'private',
        pid: 'private',
        network: privateNetwork ? 'private' : 'host',
        ipc: 'private',
        uts: 'private',
        cgroup: 'private',
      },
      seccomp: filterInForce(facts),
      noNewPrivs: true,
      capabilities: [],
      boundingSet: facts.boundingSet === 0 ? 'empty' : 'host',
      landlock: facts.landlockAbi === 0 ? null : { abi: facts.landlockAbi },
      procfs: facts.procfs === 1 ? 'private' : 'none',
      // The launcher inside knows only what it is called there.
      userId: identity.user,
      groupId: identity.groups[0] ?? identity.user,
      supplementaryGroups: facts.supplementaryGroups === 0 ? [] : (process.getgroups?.() ?? []),
    }),
    dispose: () => directories.remove(),
  };
}

function pairs(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
}

/**
 * bwrap has no id-mapped mounts, so that a root host's workspace must be one for the unprivileged user that the command is. Throws
 * `SpawnFailed` if its modes say that it is not.
 */
function checkWorkspace({ workspace, operations, identity }: Command): void {
  if (workspace === undefined) return;
  const grant = operations.find((operation) => operation.kind === 'grant' && operation.source === workspace);
  if (grant?.kind !== 'grant') return;
  const needed = grant.writable ? 'written' : 'read';
  const bits = grant.writable ? 0o7 : 0o5;
  const isUsable = hasRights(workspace, identity, bits) && isReachable(workspace, identity);
  if (isUsable) return;
  throw new SpawnFailed(
    `the workspace ${workspace} cannot be ${needed} by user ${identity.user}, which commands of root run as, and bubblewrap has no id-mapped mounts: change its owner or modes, or those of a directory above it, or use the namespaces backend`,
    0,
    13,
  );
}

function isReachable(path: string, identity: Identity): boolean {
  const parent = dirname(path);
  return parent === path || (hasRights(parent, identity, 0o1) && isReachable(parent, identity));
}

/** By owner, group and modes, of which the first that applies decides. */
function hasRights(path: string, { user, groups }: Identity, bits: number): boolean {
  const { uid, gid, mode } = statSync(path);
  const shift = uid === user ? 6 : groups.includes(gid) ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
