/**
 * The posix backend: a command as any other process of this machine, with limits, an environment of its own and a launcher that
 * ends what it leaves behind. It confines nothing, so it is used only when it is named, for plans that ask for no confinement.
 */

import { PACKAGE_VERSION } from '../package-version.js';
import type { Receipt } from '../receipt.js';
import type { Command, CommandBackend, PreparedCommand } from './backend.js';
import { ControlRoot } from './control-root.js';
import { trial } from './trial.js';

/** In every one of the host's. */
export const HOST_NAMESPACES: Receipt['isolation']['namespaces'] = {
  user: 'host',
  mount: 'host',
  pid: 'host',
  network: 'host',
  ipc: 'host',
  uts: 'host',
  cgroup: 'host',
};

export const posix: CommandBackend = {
  name: 'posix',
  isAutomatic: false,
  offers: new Set(['lifecycle', 'commands', 'network-direct']),
  cannotLimit: new Set(['tempBytes', 'tempInodes']),
  ownProcesses: 1,
  lacks: trial(
    () => posix,
    () => ['/bin/sh', '-c', ':'],
  ),
  prepare(command: Command): PreparedCommand {
    const { identity, options, workspace } = command;
    const directories = new ControlRoot(identity, workspace === undefined ? ['temp', 'workspace'] : ['temp']);
    const environment = { TMPDIR: directories.directory('temp'), ...command.environment };
    return {
      version: PACKAGE_VERSION,
      plan: {
        namespaces: false,
        privateNetwork: false,
        writableRoot: false,
        filter: false,
        limits: command.limits,
        rootBytes: 0,
        rootEntries: 0,
        executable: command.link,
        directory: workspace ?? directories.directory('workspace'),
        arguments: command.arguments,
        environment: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
        operations: [],
        preserved: options.preserveFds,
      },
      isolation: (facts) => ({
        namespaces: HOST_NAMESPACES,
        seccomp: { mode: 'none' },
        noNewPrivs: false,
        capabilities: [],
        boundingSet: 'host',
        landlock: null,
        procfs: 'host',
        userId: facts.userId,
        groupId: facts.groupId,
        supplementaryGroups: facts.supplementaryGroups === 0 ? [] : (process.getgroups?.() ?? []),
      }),
      dispose: () => directories.remove(),
    };
  },
};
