/**
 * The namespaces backend for commands: one of every namespace, a root of its own, seccomp and Landlock. Our launcher does all
 * of it. Must not know how a plan came to be.
 */
import type { BackendCapability } from '../capabilities.js';
import { filterInForce } from '../filter-in-force.js';
import { PACKAGE_VERSION } from '../package-version.js';
import type { Command, CommandBackend, PreparedCommand } from './backend.js';
import { trial } from './trial.js';

/** Of the root itself: mount points, links and small files; more where it is to be written. */
const ROOT_BYTES = 16 * 1024 * 1024;

/** Everything that can be had of a sandbox for commands. */
export const CONFINEMENT = [
  'lifecycle',
  'commands',
  'procfs',
  'private-namespaces',
  'process-tree',
  'network-none',
  'network-direct',
  'fs-read',
  'fs-write',
  'fs-deny',
  'fs-deny-write',
  'fs-protect-create',
  'root-ephemeral-write',
] as const satisfies readonly BackendCapability[];

export const namespacesForCommands: CommandBackend = {
  name: 'namespaces',
  isAutomatic: true,
  offers: new Set(CONFINEMENT),
  cannotLimit: new Set(),
  ownProcesses: 1,
  lacks: trial(() => namespacesForCommands),
  prepare(command: Command): PreparedCommand {
    const { operations, options, writableRoot } = command;
    return {
      version: PACKAGE_VERSION,
      plan: {
        namespaces: true,
        privateNetwork: command.network === 'none',
        writableRoot,
        filter: true,
        limits: command.limits,
        rootBytes: writableRoot ? options.limits.tempBytes : ROOT_BYTES,
        // Each operation may make a mount point and the directories above it.
        rootEntries: writableRoot
          ? options.limits.tempInodes
          : 64 + operations.reduce((sum, { target }) => sum + target.split('/').length, 0),
        executable: command.inside,
        directory: command.directory,
        arguments: command.arguments,
        environment: Object.entries(command.environment).map(([name, value]) => `${name}=${value}`),
        operations,
        preserved: options.preserveFds,
      },
      isolation: (facts) => ({
        namespaces: {
          user: 'private',
          mount: 'private',
          pid: 'private',
          network: command.network === 'none' ? 'private' : 'host',
          ipc: 'private',
          uts: 'private',
          cgroup: 'private',
        },
        seccomp: filterInForce(facts),
        noNewPrivs: true,
        capabilities: [],
        boundingSet: 'empty',
        landlock: facts.landlockAbi === 0 ? null : { abi: facts.landlockAbi },
        procfs: facts.procfs === 1 ? 'private' : 'none',
        userId: facts.userId,
        groupId: facts.groupId,
        supplementaryGroups: facts.supplementaryGroups === 0 ? [] : (process.getgroups?.() ?? []),
      }),
      dispose: async () => {},
    };
  },
};
