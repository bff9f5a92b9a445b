/** A host in a process of its own, from a copy of the package that any user can read: as root, or as an ordinary user. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ORDINARY_USER, readableCopy } from './readable-copy.js';

export type HostUser = 'root' | 'ordinary user';

/** Those that a host can be here: only root can be both. */
export const HOST_USERS: readonly HostUser[] =
  process.geteuid?.() === 0 ? ['root', 'ordinary user'] : ['ordinary user'];

/** An environment variable of every such host, name and value: no sandbox may find it in its memory. */
export const HOST_MARKER = 'WARDENPOOL_TEST_OF_THE_HOST';

/** As the kernel of the host numbers it. */
export function idOf(user: HostUser): number {
  if (user === 'root') return 0;
  return process.geteuid?.() === 0 ? ORDINARY_USER : (process.geteuid?.() ?? 0);
}

/** Resolves when it says that it is ready. Its arguments are the URL of `module`, a file of dist, and then `arguments_`. */
export async function startHost(
  script: string,
  module: string,
  user: HostUser,
  ...arguments_: readonly string[]
): Promise<ChildProcess> {
  const copy = readableCopy();
  const child = fork(
    join(copy, 'test/support', script),
    [pathToFileURL(join(copy, 'dist', module)).href, ...arguments_],
    {
      execArgv: [],
      cwd: copy,
      env: { PATH: process.env['PATH'], [HOST_MARKER]: HOST_MARKER },
      ...(process.geteuid?.() === 0 && { uid: idOf(user), gid: idOf(user) }),
    },
  );
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it was ready`)));
  });
  return child;
}

/** Ends when its channel is closed. */
export async function endHost(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
}
