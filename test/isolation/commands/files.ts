/** Files outside of what is granted, and what can be done within it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readOnly, readWrite } from 'wardenpool/executor';
import { swapping } from '../../support/swapping.js';
import { type Attack, all, attack, files, operations, probe, WRITABLE } from './attack.js';

const SET_ID_CALLS = [
  'chmod',
  'open',
  'open O_TMPFILE',
  'creat',
  'mknod',
  'fchmod',
  'fchmodat',
  'fchmodat2',
  'openat',
  'openat O_TMPFILE',
  'mknodat',
  "a socket's mode",
];
const SET_ID_ENDS = {
  ...all(
    ['set-user-id', 'set-group-id'].flatMap((bit) => SET_ID_CALLS.map((call) => `${bit} ${call}`)),
    'EPERM',
  ),
  ...all(['set-user-id openat2', 'set-group-id openat2'], 'ENOSYS'),
  'file capability': 'EPERM',
  'files with such a bit': 0,
};

/** Where a command that may write its temp alone could leave something. */
const PLACES = [
  '/',
  '/dev',
  '/etc',
  '/proc',
  '/usr',
  '/usr/bin',
  '/workspace',
  '/tmp',
  '/dev/shm',
  '/var',
  '/run',
  '/home',
];

export const FILE_ATTACKS: readonly Attack[] = [
  files('paths that lead out', {
    'read /etc/shadow': 'ENOENT',
    'read ../../../../../../etc/shadow': 'ENOENT',
    'read /workspace/../../etc/shadow': 'ENOENT',
    'read /proc/self/root/../../etc/shadow': 'ENOENT',
    'openat /workspace ../../../etc/shadow': 'ENOENT',
    'openat /proc/self/root ../etc/shadow': 'ENOENT',
    'openat /dev ../../etc/shadow': 'ENOENT',
    'list /root': 'ENOENT',
    'list /home': 'ENOENT',
    'list /sys': 'ENOENT',
    'list /var': 'ENOENT',
    'list /run': 'ENOENT',
    'list /dev/pts': 'ENOENT',
    'list /dev/mqueue': 'ENOENT',
  }),
  files('the launcher, by its files in /proc', {
    'list /proc/1/root': 'EACCES',
    'list /proc/1/cwd': 'EACCES',
    'list /proc/1/fd': 'EACCES',
    'read /proc/1/exe': 'EACCES',
    'read /proc/1/environ': 'EACCES',
    'read /proc/1/mem': 'EACCES',
    'read /proc/1/maps': 'EACCES',
    'write /proc/1/mem': 'EACCES',
    'write /proc/1/oom_score_adj': 'EACCES',
  }),
  attack('the kernel, by its files in /proc', 'EROFS, EACCES, EPERM or ENOENT', async (scene) => {
    const attempts = [
      'overwrite /proc/sys/kernel/core_pattern',
      'overwrite /proc/sys/kernel/hostname',
      'overwrite /proc/sys/fs/inotify/max_user_watches',
      'overwrite /proc/sysrq-trigger',
      'overwrite /proc/self/uid_map',
      'overwrite /proc/self/setgroups',
      'overwrite /proc/self/oom_score_adj',
      'overwrite /proc/self/mem',
      'overwrite /proc/self/comm',
      'read /proc/kcore',
      'read /proc/kmsg',
      'read /proc/kpageflags',
    ];
    const ends = await scene.ends(operations(attempts));
    // Which of them there are, and whose, is the kernel's to say.
    for (const attempt of attempts)
      assert.match(String(ends[attempt]), /^(EROFS|EACCES|EPERM|ENOENT)$/, attempt);
  }),
  attack('a workspace that is only to be read', 'EROFS; unchanged', async (scene) => {
    scene.fill({ file: 'as it was' });
    const file = '/workspace/file';
    const attempts = [
      `write ${file}`,
      `truncate ${file}`,
      `chmod ${file}`,
      `touch ${file}`,
      `xattr ${file}`,
      `unlink ${file}`,
      `reopen ${file}`,
      'create /workspace/new',
      'mkdir /workspace/new',
      'tmpfile /workspace',
      'fifo /workspace/new',
      'device /workspace/new',
      `rename ${file} /workspace/new`,
      `link ${file} /workspace/new`,
      `symlink ${file} /workspace/new`,
    ];
    const ends = await scene.ends(operations(attempts));
    assert.deepEqual(ends, all(attempts, 'EROFS'));
    assert.deepEqual(readdirSync(scene.workspace).sort(), ['file', 'probe-command']);
    assert.equal(readFileSync(join(scene.workspace, 'file'), 'utf8'), 'as it was');
  }),
  files(
    'a workspace that may be written',
    {
      'create /workspace/new': 'ok',
      'overwrite /workspace/new': 'ok',
      'chmod /workspace/new': 'ok',
      'rename /workspace/new /workspace/newer': 'ok',
      'link /workspace/newer /workspace/linked': 'ok',
      'mkdir /workspace/directory': 'ok',
      'tmpfile /workspace': 'ok',
      'fifo /workspace/fifo': 'ok',
      'device /workspace/device': 'EPERM',
      'rename /workspace/newer /tmp/newer': 'EXDEV',
      'link /usr/bin/env /workspace/env': 'EXDEV',
      'create /usr/new': 'EROFS',
      'rename /workspace /away': 'EROFS',
      'rmdir /workspace': 'EROFS',
    },
    'a device EPERM; to and from other mounts EXDEV; what is around it EROFS; all else ok',
    WRITABLE,
  ),
  attack('what it makes in the workspace is its owner’s', 'it is', async (scene) => {
    await scene.ends(['files', 'create', '/workspace/new'], WRITABLE);
    assert.equal(lstatSync(join(scene.workspace, 'new')).uid, scene.owner);
  }),
  attack(
    'links of the workspace',
    'ENOENT; in a loop ELOOP; by the launcher’s root EACCES',
    async (scene) => {
      const link = (to: string, name: string) => symlinkSync(to, join(scene.workspace, name));
      link('/etc/shadow', 'absolute');
      link('../../../../../etc/shadow', 'relative');
      link(scene.host.probe, 'to-the-host');
      link('nothing', 'dangling');
      link('loop-two', 'loop-one');
      link('loop-one', 'loop-two');
      link('/proc/1/root/etc/shadow', 'by-the-launcher');
      const expected = {
        'read /workspace/absolute': 'ENOENT',
        'read /workspace/relative': 'ENOENT',
        'read /workspace/to-the-host': 'ENOENT',
        'read /workspace/dangling': 'ENOENT',
        'read /workspace/loop-one': 'ELOOP',
        'read /workspace/by-the-launcher': 'EACCES',
      };
      const ends = await scene.ends(operations(Object.keys(expected)));
      assert.deepEqual(ends, expected);
    },
  ),
  attack(
    'a link that comes and goes while it looks',
    'what is in the workspace, or in the sandbox’s own /etc',
    async (scene) => {
      const directory = join(scene.workspace, 'swapped');
      scene.fill({ 'swapped/passwd': 'of the workspace\n' });
      const swaps = await swapping(scene.host.probe, directory, '/etc');
      const ends = await scene.ends(['watch', '/workspace/swapped/passwd', '20000']);
      await swaps.stop();
      // Where it leads to /etc, that is the sandbox's own.
      for (const start of Object.keys(ends))
        assert.ok(['of the workspace', 'sandbox:x:65534:'].includes(start), start);
      assert.ok('of the workspace' in ends);
    },
  ),
  attack('devices and FIFOs of the workspace', 'a device EACCES; a FIFO is one', async (scene) => {
    execFileSync('mkfifo', [join(scene.workspace, 'fifo')]);
    const expected: Record<string, string> = { 'read /workspace/fifo': 'ok' };
    if (process.geteuid?.() === 0) {
      // The null device, which everybody could read elsewhere.
      execFileSync('mknod', ['-m', '666', join(scene.workspace, 'null'), 'c', '1', '3']);
      Object.assign(expected, { 'read /workspace/null': 'EACCES', 'write /workspace/null': 'EACCES' });
    }
    scene.own();
    const ends = await scene.ends(operations(Object.keys(expected)));
    assert.deepEqual(ends, expected);
  }),
  probe(
    'set-id bits in the temp',
    ['set-id', '/tmp'],
    SET_ID_ENDS,
    'EPERM, openat2 ENOSYS; no file gets one',
  ),
  attack('set-id bits in the workspace', 'EPERM, openat2 ENOSYS; no file gets one', async (scene) => {
    assert.deepEqual(await scene.ends(['set-id', '/workspace'], WRITABLE), SET_ID_ENDS);
    for (const name of readdirSync(scene.workspace))
      assert.equal(lstatSync(join(scene.workspace, name)).mode & 0o6000, 0, name);
  }),
  attack('a set-id program of the host', 'runs as 65534, and is not set-id', async (scene) => {
    const program = join(scene.workspace, 'probe-command');
    if (process.geteuid?.() === 0) chownSync(program, 1, 1);
    chmodSync(program, 0o6755);
    const { users, groups, secure } = await scene.ends(['identity']);
    assert.deepEqual(
      { users, groups, secure },
      { users: '65534 65534 65534', groups: '65534 65534 65534', secure: 0 },
    );
  }),
  attack('the temp, over its bytes', 'ENOSPC, at the limit', async (scene) => {
    const limits = { tempBytes: 4_194_304 };
    const ends = await scene.ends(['fill', '/tmp'], { limits });
    assert.equal(ends['the last write'], 'ENOSPC');
    assert.ok(Number(ends['bytes']) <= limits.tempBytes && Number(ends['bytes']) > 0, String(ends['bytes']));
  }),
  attack(
    'the temp, over its entries',
    'ENOSPC, at the limit',
    async (scene) => {
      const limits = { tempBytes: 4_194_304, tempInodes: 100 };
      const ends = await scene.ends(['fill', '/tmp'], { limits });
      assert.equal(ends['the last entry'], 'ENOSPC');
      assert.ok(
        Number(ends['entries']) < limits.tempInodes && Number(ends['entries']) > 50,
        String(ends['entries']),
      );
    },
    ['limits.tempInodes'],
  ),
  attack('a message for the next command', 'ENOENT, for files and shared memory', async (scene) => {
    const names = (operation: string) => PLACES.flatMap((place) => [operation, `${place}/of-another-run`]);
    const policy = readOnly();
    const left = await scene.ends(['files', ...names('create')], { policy });
    const made = Object.entries(left).flatMap(([attempt, end]) => (end === 'ok' ? [attempt] : []));
    assert.deepEqual(made, ['create /tmp/of-another-run']);
    assert.equal((await scene.ends(['shared-memory', 'make'], { policy }))['shmget'], 'ok');

    const found = await scene.ends(['files', ...names('read')], { policy });
    for (const [attempt, end] of Object.entries(found)) assert.equal(end, 'ENOENT', attempt);
    assert.equal((await scene.ends(['shared-memory', 'find'], { policy }))['shmget'], 'ENOENT');
  }),
  attack(
    'a root that may be written: its own, and gone with the command',
    'what is mounted in it EROFS or EBUSY; ENOENT for the next command',
    async (scene) => {
      const policy = { ...readOnly(), root: { mode: 'ephemeral-write' } } as const;
      const expected = {
        'create /new': 'ok',
        'mkdir /var': 'ok',
        'create /var/new': 'ok',
        'create /usr/new': 'EROFS',
        'create /workspace/new': 'EROFS',
        'rename /workspace /away': 'EBUSY',
        'rename /usr /away': 'EBUSY',
        'unlink /dev/null': 'EBUSY',
      };
      assert.deepEqual(await scene.ends(operations(Object.keys(expected)), { policy }), expected);
      const after = { 'read /new': 'ENOENT', 'list /var': 'ENOENT' };
      assert.deepEqual(await scene.ends(operations(Object.keys(after)), { policy }), after);
    },
    ['root-ephemeral-write'],
  ),
  attack('a workspace of nobody: gone with the command', 'ENOENT for the next command', async (scene) => {
    const options = { policy: readWrite(), workspace: undefined };
    const first = await scene.ends(['files', 'create', '/workspace/new'], options);
    assert.deepEqual(first, { 'create /workspace/new': 'ok' });
    const second = await scene.ends(['files', 'read', '/workspace/new'], options);
    assert.deepEqual(second, { 'read /workspace/new': 'ENOENT' });
  }),
];
