/** A place on this machine where user namespaces are refused. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { eventually, namespaceOf } from './processes.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a command says that runs in a user namespace of its own, whose sysctl refuses further ones. */
export async function withoutUserNamespaces(...command: string[]): Promise<string> {
  const isRoot = process.geteuid?.() === 0;
  const holder = spawn('unshare', ['--user', ...(isRoot ? [] : ['--map-root-user']), 'sleep', '60']);
  holder.on('error', (error) => assert.fail(`this test needs unshare, of util-linux: ${error.message}`));
  try {
    const pid = holder.pid ?? assert.fail();
    const own = namespaceOf('self', 'user');
    assert.ok(await eventually(() => ![own, undefined].includes(namespaceOf(pid, 'user')), 5_000));
    // With all ids, so that the switch to an ordinary user works, and namespaces are what fails.
    if (isRoot) for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${map}`, '0 0 65536');
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
    const child = spawn(
      'nsenter',
      [
        ...(isRoot ? [] : ['--preserve-credentials']),
        '--target',
        `${pid}`,
        '--user',
        'sh',
        '-c',
        script,
        'sh',
        ...command,
      ],
      {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    return await text(child.stdout);
  } finally {
    holder.kill();
  }
}
