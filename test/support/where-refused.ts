/** A place on this machine where user namespaces are refused, as in most containers. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { eventually, namespaceOf } from './processes.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Runs a command in a user namespace of its own, where that namespace's sysctl refuses further ones. Resolves to what it
 * wrote to stdout. `cwd`: a directory of the package; default: the checkout. `refused`: `none` where the command sees to that itself.
 */
export async function whereRefused(
  command: string[],
  cwd = ROOT,
  refused: 'user' | 'none' = 'user',
): Promise<string> {
  const isRoot = process.geteuid?.() === 0;
  const holder = spawn('unshare', ['--user', ...(isRoot ? [] : ['--map-root-user']), 'sleep', '60']);
  holder.on('error', (error) => assert.fail(`this test needs unshare, of util-linux: ${error.message}`));
  try {
    const pid = holder.pid ?? assert.fail();
    const own = namespaceOf('self', 'user');
    assert.ok(await eventually(() => ![own, undefined].includes(namespaceOf(pid, 'user')), 5_000));
    // With all ids, so that the launcher's switch to an ordinary user works, and the clone of namespaces is what fails.
    if (isRoot) for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${map}`, '0 0 65536');
    const script = `${refused === 'none' ? '' : 'echo 0 > /proc/sys/user/max_user_namespaces && '}exec "$@"`;
    const child = spawn('nsenter', ['--target', `${pid}`, '--user', 'sh', '-c', script, 'sh', ...command], {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return await text(child.stdout);
  } finally {
    holder.kill();
  }
}

/** The same for a module, which says what came of it as JSON on stdout. `before`: a command that runs Node. */
export async function importWhereRefused<T>(
  module: string,
  {
    before = [],
    cwd = ROOT,
    refused = 'user',
  }: { before?: string[]; cwd?: string; refused?: 'user' | 'none' } = {},
): Promise<T> {
  const command = [...before, process.execPath, '--input-type=module', '-e', module];
  return JSON.parse(await whereRefused(command, cwd, refused)) as T;
}
