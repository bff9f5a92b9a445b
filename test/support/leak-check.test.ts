import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { holdingsOf, leftAfter, leftBetween } from './leak-check.js';
import { privateTemporary } from './private-temporary.js';

describe('the leak check', () => {
  const temporary = privateTemporary();
  before(temporary.enter);
  after(temporary.leave);

  async function leftOf(leak: () => Promise<() => unknown>): Promise<string[]> {
    const before = holdingsOf(process.pid);
    const mend = await leak();
    const left = leftBetween(before, holdingsOf(process.pid));
    await mend();
    assert.deepEqual(await leftAfter(before), [], 'what was mended');
    return left;
  }

  it('names a descriptor by what it refers to, also one that is open twice', async () => {
    const first = await open('/etc/hostname');
    let second: FileHandle;
    const left = await leftOf(async () => {
      second = await open('/etc/hostname');
      return () => second.close();
    });
    await first.close();
    assert.deepEqual(left, ['descriptor /etc/hostname']);
  });

  it('names a process, also one that is dead', async () => {
    const left = await leftOf(async () => {
      const child = spawn('sleep', ['600'], { stdio: 'ignore' });
      await once(child, 'spawn');
      return () => {
        child.kill('SIGKILL');
        return once(child, 'exit');
      };
    });
    assert.ok(
      left.some((name) => /^process \d+ \((sleep|node|mocha)\) of \d+$/.test(name)),
      left.join('\n'),
    );
  });

  it('names a thread', async () => {
    const left = await leftOf(async () => {
      const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
      await once(worker, 'online');
      return () => worker.terminate();
    });
    assert.ok(
      left.some((name) => name.startsWith('thread ')),
      left.join('\n'),
    );
  });

  it('names a temporary entry of ours, and no other', async () => {
    const left = await leftOf(async () => {
      const directories = ['wardenpool-', 'other-'].map((prefix) => mkdtempSync(join(tmpdir(), prefix)));
      return () => directories.forEach((directory) => void rmSync(directory, { recursive: true }));
    });
    assert.equal(left.length, 1);
    assert.match(left[0] ?? '', /^temporary entry \/.*\/wardenpool-/);
  });

  it('says how much memory was left, where that is looked at', () => {
    const before = { ...holdingsOf(process.pid), residentBytes: 0 };
    const now = { ...before, residentBytes: 3_000_000 };
    assert.deepEqual(leftBetween(before, now, { residentBytes: 4_000_000 }), []);
    assert.deepEqual(leftBetween(before, now, { residentBytes: 2_000_000 }), [
      '3000000 bytes of resident memory, of which 2000000 are allowed',
    ]);
  });

  it('leaves out what is known', () => {
    const before = holdingsOf(process.pid);
    const now = { ...before, cgroups: ['/sys/fs/cgroup/wardenpool-1-a'] };
    assert.deepEqual(leftBetween(before, now), ['cgroup /sys/fs/cgroup/wardenpool-1-a']);
    assert.deepEqual(leftBetween(before, now, { known: (name) => name.startsWith('cgroup ') }), []);
  });
});
