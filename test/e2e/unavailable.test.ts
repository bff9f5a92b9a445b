/** Where user namespaces are refused: nothing runs, and the error says what is missing and what would allow it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { eventually, namespaceOf } from '../support/processes.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const PROGRAM = `
  import { createPool } from 'wardenpool';
  try {
    await createPool();
    console.log(JSON.stringify({ created: true }));
  } catch (error) {
    console.log(JSON.stringify({ name: error.name, message: error.message, missing: error.missing }));
  }
`;

interface Outcome {
  name?: string;
  message?: string;
  missing?: { capability: string; reason: string; remedy: string }[];
}

/** Runs a command in a user namespace of its own, where that namespace's sysctl refuses further ones. */
async function whereRefused(...command: string[]): Promise<string> {
  const isRoot = process.geteuid?.() === 0;
  const holder = spawn('unshare', ['--user', ...(isRoot ? [] : ['--map-root-user']), 'sleep', '60']);
  holder.on('error', (error) => assert.fail(`this test needs unshare, of util-linux: ${error.message}`));
  try {
    const pid = holder.pid ?? assert.fail();
    const own = namespaceOf('self', 'user');
    assert.ok(await eventually(() => ![own, undefined].includes(namespaceOf(pid, 'user')), 5_000));
    // With all ids, so that the launcher's switch to an ordinary user works, and the clone of namespaces is what fails.
    if (isRoot) for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${map}`, '0 0 65536');
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
    const child = spawn('nsenter', ['--target', `${pid}`, '--user', 'sh', '-c', script, 'sh', ...command], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return await text(child.stdout);
  } finally {
    holder.kill();
  }
}

describe('where user namespaces are refused', () => {
  it('createPool() fails without harm to the process while its other threads are still starting', async () => {
    const again = `
      const names = [];
      for (let i = 0; i < 3; i++) {
        const created = Array.from({ length: 2 }, () => createPool({ threads: 4 }));
        for (const { reason } of await Promise.allSettled(created)) names.push(reason.name);
      }
      console.log(JSON.stringify(names));`;
    const program = `import { createPool } from 'wardenpool';${again}`;
    const names = JSON.parse(await whereRefused(process.execPath, '--input-type=module', '-e', program));
    assert.deepEqual(names, new Array(6).fill('SandboxUnavailableError'));
  });

  it('createPool() rejects, naming what is missing and what would allow it', async () => {
    const outcome = JSON.parse(
      await whereRefused(process.execPath, '--input-type=module', '-e', PROGRAM),
    ) as Outcome;
    assert.equal(outcome.name, 'SandboxUnavailableError');
    assert.equal(outcome.missing?.[0]?.capability, 'user-namespaces');
    assert.match(outcome.missing?.[0]?.reason ?? '', /create user, mount, PID/);
    assert.match(outcome.missing?.[0]?.remedy ?? '', /sysctl -w user\.max_user_namespaces/);
    assert.match(outcome.message ?? '', /user-namespaces/);
  });

  it('the doctor says so, and that nothing will run unconfined', async () => {
    const report = await whereRefused(process.execPath, 'dist/cli/main.js', 'doctor');
    assert.match(report, /cannot run Code Mode here/);
    assert.match(report, /remedy .*max_user_namespaces/);
    assert.match(report, /Nothing will run unconfined/);
  });
});
