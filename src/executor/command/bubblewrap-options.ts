/**
 * Operations as options of `bwrap`, 0.7 or later. Each option is a string of its own, so that no path can be taken for another
 * one. Must not know how bwrap is found or started.
 */
import { SpawnFailed } from '../errors.js';
import { UNPRIVILEGED_ID } from '../identity.js';
import { isWithin, type Operation } from './operations.js';
import { ToolDescriptor } from './plan-encoding.js';

/** Where bwrap finds our launcher in the sandbox: the command may see it there, and can do nothing with it. */
export const LAUNCHER_INSIDE = '/.wardenpool-launcher';

/** More are refused by bwrap (MAX_ARGS, 9000), those on its command line among them. */
const MOST_OPTIONS = 8_900;

export interface BubblewrapRoot {
  operations: readonly Operation[];
  privateNetwork: boolean;
  /** Bytes that a root may hold which is to be written; undefined for one that is not. */
  writableRootBytes: number | undefined;
  /** bwrap 0.8 or later: no user namespace can be made inside, whatever the filter says. */
  disableUserNamespaces: boolean;
}

/**
 * bwrap follows links that were put in the place of a path since it was resolved; the launcher inside finds that (check.c), and
 * the command is not started.
 *
 * Throws `SpawnFailed` for an operation that bwrap has no option for, and for more operations than it takes.
 */
export function bubblewrapOptions(root: BubblewrapRoot): string[] {
  const { operations, privateNetwork, writableRootBytes, disableUserNamespaces } = root;
  const options = [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup'],
    ...(privateNetwork ? ['--unshare-net'] : []),
    ...(disableUserNamespaces ? ['--disable-userns'] : []),
    ...['--uid', String(UNPRIVILEGED_ID), '--gid', String(UNPRIVILEGED_ID), '--cap-drop', 'ALL'],
    // Our launcher is PID 1, and reaps.
    ...[
      '--as-pid-1',
      '--die-with-parent',
      '--new-session',
      '--hostname',
      'sandbox',
      '--clearenv',
      '--chdir',
      '/',
    ],
  ];
  if (writableRootBytes !== undefined)
    options.push('--size', String(writableRootBytes), '--perms', '0755', '--tmpfs', '/');
  const parents = new Parents();
  let file: number = ToolDescriptor.files;
  for (const operation of operations) {
    options.push(...parents.of(operation));
    options.push(...optionsOf(operation, () => file++));
  }
  options.push('--perms', '0555', '--ro-bind-data', String(ToolDescriptor.launcher), LAUNCHER_INSIDE);
  if (writableRootBytes === undefined) options.push('--remount-ro', '/');
  if (options.length > MOST_OPTIONS)
    throw new SpawnFailed(
      `the policy needs ${options.length} options of bwrap, which takes about ${MOST_OPTIONS}: use fewer rules, or the namespaces backend`,
      0,
      7,
    );
  return options;
}

/** bwrap makes them with modes of its own. */
class Parents {
  readonly #made = new Set<string>(['/']);
  readonly #granted: string[] = [];

  of(operation: Operation): string[] {
    const options: string[] = [];
    const { kind, target } = operation;
    if (kind === 'absent') return options;
    const names = target.split('/').slice(1, -1);
    names.forEach((_, index) => {
      const parent = `/${names.slice(0, index + 1).join('/')}`;
      if (this.#made.has(parent) || this.#granted.some((granted) => isWithin(parent, granted))) return;
      this.#made.add(parent);
      options.push('--perms', '0755', '--dir', parent);
    });
    if (kind === 'grant') this.#granted.push(target);
    if (kind === 'temporary' || kind === 'directory') this.#made.add(target);
    return options;
  }
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

/** `nextFile`: the descriptor of the content of the next file. */
function optionsOf(operation: Operation, nextFile: () => number): string[] {
  const { kind, target } = operation;
  switch (kind) {
    case 'directory':
      return ['--perms', octal(operation.mode), '--dir', target];
    case 'file':
      return ['--perms', octal(operation.mode), '--ro-bind-data', String(nextFile()), target];
    case 'link':
      return ['--symlink', operation.to, target];
    case 'grant': {
      const { source, writable, devices } = operation;
      if (devices === true)
        return ['--dev-bind', source, target, ...(writable ? [] : ['--remount-ro', target])];
      return [writable ? '--bind' : '--ro-bind', source, target];
    }
    case 'temporary':
      return ['--size', String(operation.bytes), '--perms', '0700', '--tmpfs', target];
    case 'proc':
      return ['--proc', target, '--remount-ro', target];
    case 'hide':
      // A device on a mount without devices cannot be opened.
      return operation.directory
        ? ['--perms', '0000', '--tmpfs', target, '--remount-ro', target]
        : ['--ro-bind', '/dev/null', target];
    case 'write-protect':
      return operation.source === undefined
        ? ['--remount-ro', target]
        : ['--ro-bind', operation.source, target];
    case 'pin':
      if (operation.source !== undefined) return ['--bind', operation.source, target];
      throw notPossible(operation);
    case 'hold-place':
      throw notPossible(operation);
    case 'absent':
      return []; // the launcher looks, inside
  }
}

function notPossible({ kind, target }: Operation): SpawnFailed {
  return new SpawnFailed(`bwrap cannot carry out "${kind}" for ${target}: use the namespaces backend`, 0, 95);
}
