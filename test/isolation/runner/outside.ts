/** A runner that was taken over, as others see it: processes of its user outside, and its siblings. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Ends } from '../../support/command-host.js';
import { parentOf, statusField } from '../../support/processes.js';
import { readableCopy } from '../../support/readable-copy.js';
import type { RunnerAttack } from './attack.js';

const OF_A_PROCESS = [
  'ptrace attach it',
  'ptrace seize it',
  'process_vm_readv it',
  'process_vm_writev it',
  'pidfd_getfd it',
  'kcmp it',
  'process_madvise it',
];
const FILES = ['mem', 'maps', 'environ', 'fd/3', 'ns/user', 'root/'].map((name) => `open ${name}`);

/** What a process of the user `uid` outside of every sandbox can do to another. */
async function asOutsider(uid: number, pid: number): Promise<Ends> {
  const isRoot = process.geteuid?.() === 0;
  const child = spawn(join(readableCopy(), 'build/Release/probe-command'), ['outsider', `${pid}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    cwd: '/',
    ...(isRoot && { uid, gid: uid }),
  });
  const exit = once(child, 'exit');
  const said = await text(child.stdio[3] as Readable);
  await exit;
  return JSON.parse(said) as Ends;
}

function assertClosedTo(ends: Ends): void {
  for (const attempt of [...OF_A_PROCESS, ...FILES])
    assert.match(String(ends[attempt]), /^(EPERM|EACCES)$/, attempt);
}

export const OUTSIDE_ATTACKS: readonly RunnerAttack[] = [
  {
    name: 'by a process of its user outside: traced, its memory and descriptors read, its entries in /proc opened',
    end: 'EPERM or EACCES',
    async attempt(scene) {
      const running = await scene.start('stay');
      const uid = Number(statusField(running.pid, 'Uid').split(/\s+/)[0]);
      assert.notEqual(uid, 0);
      assertClosedTo(await asOutsider(uid, running.pid));
      running.release();
      await running.ended;
    },
  },
  {
    name: 'its launcher, by a process of its user outside: the same',
    end: 'EPERM or EACCES',
    async attempt(scene) {
      const running = await scene.start('stay');
      const uid = Number(statusField(running.pid, 'Uid').split(/\s+/)[0]);
      assertClosedTo(await asOutsider(uid, parentOf(running.pid) ?? assert.fail('it has a launcher')));
      running.release();
      await running.ended;
    },
  },
  {
    name: 'threads, a core, more privileges: what its status says while it is attacked',
    end: 'one thread; nothing gained',
    async attempt(scene) {
      const running = await scene.start('stay');
      assert.equal(statusField(running.pid, 'Threads'), '1');
      assert.equal(statusField(running.pid, 'CoreDumping'), '0');
      assert.equal(statusField(running.pid, 'NoNewPrivs'), '1');
      assert.equal(statusField(running.pid, 'Seccomp'), '2');
      assert.equal(statusField(running.pid, 'Seccomp_filters'), '2');
      for (const field of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
        assert.match(statusField(running.pid, field), /^0+$/, field);
      running.release();
      assert.equal((await running.ended).end, 'code 0');
    },
  },
  {
    name: 'its siblings, while it is killed by its filter',
    end: 'go on',
    async attempt(scene) {
      const sibling = await scene.start('stay');
      await scene.assertAllEnd(
        Array.from({ length: 32 }, () => 'call 62 -1 9'),
        ['SIGSYS'],
      );
      sibling.release();
      assert.equal((await sibling.ended).end, 'code 0');
    },
  },
];
