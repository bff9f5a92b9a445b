/** What is denied, or may not be written, within a workspace that may be written: every way around that is known. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Attack, attack, operations, type Scene, type SceneOptions, withRules } from './attack.js';

const TREE = {
  'open/file': 'open',
  'secret/file': 'secret',
  'secret/deep/file': 'secret',
  'secret.txt': 'secret',
  'above/it/denied/file': 'secret',
  'above/it/file': 'open',
  'fixed/file': 'fixed',
  'fixed.txt': 'fixed',
};

const POLICY: SceneOptions = withRules(
  ['deny', 'secret'],
  ['deny', 'secret.txt', 'exact'],
  ['deny', 'above/it/denied'],
  ['deny-write', 'fixed'],
  ['deny-write', 'fixed.txt', 'exact'],
  ['deny', 'missing'],
  ['deny', 'nowhere/near/it'],
  ['deny-write', 'open/later'],
);

/** Attempts with their ends; afterwards the workspace is what it was. */
function withinWorkspace(name: string, end: string, expected: Record<string, string>): Attack {
  return attack(
    name,
    `${end}; unchanged`,
    async (scene) => {
      scene.fill(TREE);
      assert.deepEqual(await scene.ends(operations(Object.keys(expected)), POLICY), expected);
      assertUnchanged(scene);
    },
    ['fs-deny', 'fs-deny-write', 'fs-protect-create'],
  );
}

function assertUnchanged({ workspace }: Scene): void {
  for (const [path, content] of Object.entries(TREE))
    assert.equal(readFileSync(join(workspace, path), 'utf8'), content, path);
  const top = ['above', 'fixed', 'fixed.txt', 'open', 'probe-command', 'secret', 'secret.txt'];
  assert.deepEqual(readdirSync(workspace).sort(), top);
  assert.deepEqual(readdirSync(join(workspace, 'open')), ['file']);
}

export const DENIAL_ATTACKS: readonly Attack[] = [
  withinWorkspace('a denied path, by its name', 'EACCES; its mode EROFS', {
    'read /workspace/secret/file': 'EACCES',
    'read /workspace/secret/deep/file': 'EACCES',
    'list /workspace/secret': 'EACCES',
    'read /workspace/secret.txt': 'EACCES',
    'read /workspace/above/it/denied/file': 'EACCES',
    'create /workspace/secret/new': 'EACCES',
    'write /workspace/secret.txt': 'EACCES',
    'chmod /workspace/secret': 'EROFS',
    'chmod /workspace/secret.txt': 'EROFS',
    'truncate /workspace/secret.txt': 'EACCES',
    'read /workspace/above/it/file': 'ok',
    'overwrite /dev/null': 'ok',
  }),
  // EXDEV: a directory that is held in place is a mount, and what is in it is not beside what is out of it.
  withinWorkspace('a denied path, moved, removed or exchanged', 'EBUSY, EXDEV or EACCES', {
    'rename /workspace/secret /workspace/elsewhere': 'EBUSY',
    'rename /workspace/secret.txt /workspace/elsewhere': 'EBUSY',
    'rename /workspace/open /workspace/secret': 'EBUSY',
    'rename /workspace/open/file /workspace/secret.txt': 'EXDEV',
    'rename /workspace/probe-command /workspace/secret.txt': 'EBUSY',
    'exchange /workspace/open /workspace/secret': 'EBUSY',
    'exchange /workspace/secret.txt /workspace/open/file': 'EXDEV',
    'unlink /workspace/secret.txt': 'EBUSY',
    'rmdir /workspace/secret': 'EBUSY',
    'link /workspace/secret.txt /workspace/open/link': 'EXDEV',
    'rename /workspace/secret/file /workspace/open/moved': 'EACCES',
    'rename /workspace/secret /tmp/secret': 'EXDEV',
  }),
  withinWorkspace('a denied path, by what is above it', 'EBUSY, EXDEV or EROFS', {
    'rename /workspace/above /workspace/beside': 'EBUSY',
    'rename /workspace/above/it /workspace/beside': 'EXDEV',
    'rename /workspace/above/it/denied /workspace/beside': 'EXDEV',
    'rename /workspace/above/it /workspace/above/beside': 'EBUSY',
    'rename /workspace/above/it/denied /workspace/above/it/beside': 'EBUSY',
    'exchange /workspace/above/it/file /workspace/above/it/denied': 'EBUSY',
    'exchange /workspace/open /workspace/above': 'EBUSY',
    'exchange /workspace/above/it /workspace/open': 'EXDEV',
    'rmdir /workspace/above/it': 'EBUSY',
    'rename /workspace/nowhere /workspace/beside': 'EBUSY',
    'rename /workspace /elsewhere': 'EROFS',
  }),
  attack(
    'a denied path, by other names',
    'EACCES; by its path on the host ENOENT',
    async (scene) => {
      scene.fill(TREE);
      const expected = {
        'symlink /workspace/secret /tmp/link': 'ok',
        'read /tmp/link/file': 'EACCES',
        'symlink ../secret.txt /workspace/open/relative': 'ok',
        'read /workspace/open/relative': 'EACCES',
        'openat /workspace secret/file': 'EACCES',
        'openat /workspace/open ../secret/file': 'EACCES',
        'openat /proc/self/cwd secret/file': 'EACCES',
        'openat /proc/self/root workspace/secret.txt': 'EACCES',
        'openat /proc/thread-self/root workspace/secret.txt': 'EACCES',
        'openat /proc/2/cwd above/it/denied/file': 'EACCES',
        'reopen /workspace/secret.txt': 'EACCES',
        'read /proc/self/cwd/../workspace/secret.txt': 'EACCES',
        [`read ${scene.workspace}/secret/file`]: 'ENOENT',
      };
      assert.deepEqual(await scene.ends(operations(Object.keys(expected)), POLICY), expected);
    },
    ['fs-deny', 'fs-deny-write', 'fs-protect-create'],
  ),
  attack(
    'the root of the host, granted but for two of its paths',
    'these EACCES or ENOENT; written EROFS; the launcher EACCES',
    async (scene) => {
      const expected = {
        'read /usr/bin/env': 'ok',
        'list /etc': 'ok',
        'list /var': 'ENOENT',
        'read /etc/passwd': 'EACCES',
        'openat / var': 'ENOENT',
        'create /etc/new': 'EROFS',
        'create /usr/new': 'EROFS',
        'create /new': 'EROFS',
        'read /proc/1/environ': 'EACCES',
      };
      const policy = withRules(['read', '/'], ['deny', '/var'], ['deny', '/etc/passwd', 'exact']);
      assert.deepEqual(await scene.ends(operations(Object.keys(expected)), policy), expected);
    },
    ['fs-deny'],
  ),
  withinWorkspace(
    'what may not be written',
    'read ok; written EROFS; moved, removed, exchanged or linked EROFS, EBUSY or EXDEV',
    {
      'read /workspace/fixed/file': 'ok',
      'list /workspace/fixed': 'ok',
      'read /workspace/fixed.txt': 'ok',
      'write /workspace/fixed/file': 'EROFS',
      'write /workspace/fixed.txt': 'EROFS',
      'reopen /workspace/fixed/file': 'EROFS',
      'truncate /workspace/fixed.txt': 'EROFS',
      'create /workspace/fixed/new': 'EROFS',
      'tmpfile /workspace/fixed': 'EROFS',
      'chmod /workspace/fixed/file': 'EROFS',
      'touch /workspace/fixed.txt': 'EROFS',
      'xattr /workspace/fixed/file': 'EROFS',
      'unlink /workspace/fixed/file': 'EROFS',
      'unlink /workspace/fixed.txt': 'EBUSY',
      'rename /workspace/fixed /workspace/elsewhere': 'EBUSY',
      'rename /workspace/fixed/file /workspace/elsewhere': 'EXDEV',
      'rename /workspace/open/file /workspace/fixed/file': 'EXDEV',
      'rename /workspace/open/file /workspace/fixed.txt': 'EXDEV',
      'rename /workspace/probe-command /workspace/fixed.txt': 'EBUSY',
      'exchange /workspace/open /workspace/fixed': 'EBUSY',
      'link /workspace/fixed/file /workspace/open/link': 'EXDEV',
      'link /workspace/fixed.txt /workspace/open/link': 'EXDEV',
    },
  ),
  withinWorkspace(
    'what does not exist and may not be made',
    'EEXIST, EACCES, EBUSY, EXDEV, EROFS or EISDIR: nothing is made',
    {
      'create /workspace/missing': 'EEXIST',
      'mkdir /workspace/missing': 'EEXIST',
      'symlink /tmp /workspace/missing': 'EEXIST',
      'create /workspace/missing/file': 'EACCES',
      'rmdir /workspace/missing': 'EBUSY',
      'rename /workspace/missing /workspace/away': 'EBUSY',
      'rename /workspace/open /workspace/missing': 'EBUSY',
      'exchange /workspace/open /workspace/missing': 'EBUSY',
      'mkdir /workspace/nowhere/near/it': 'EEXIST',
      'rename /workspace/open /workspace/nowhere': 'EBUSY',
      'rename /workspace/open /workspace/nowhere/near': 'EXDEV',
      'rename /workspace/open /workspace/nowhere/near/it': 'EXDEV',
      'rmdir /workspace/nowhere/near': 'EBUSY',
      'create /workspace/open/later': 'EEXIST',
      'create /workspace/open/later/file': 'EROFS',
      'rename /workspace/above /workspace/open/later': 'EXDEV',
      'rename /workspace/open/file /workspace/open/later': 'EISDIR',
    },
  ),
];
