import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RunResult } from 'wardenpool';
import { assertReceipt } from '../support/receipts.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const USER = 12_345;

/** The built package where any user may read it, whatever the permissions above the checkout. */
function readableCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'wardenpool-test-'));
  chmodSync(copy, 0o755);
  for (const part of ['package.json', 'dist', 'test/support/child-host.mjs'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  for (const file of ['wardenpool.node', 'wardenpool-launcher'])
    cpSync(join(ROOT, 'build/Release', file), join(copy, 'build/Release', file));
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev, optional }] of Object.entries(lock.packages))
    if (path !== '' && !dev && !optional) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  return copy;
}

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`an ordinary user, on ${backend}`, () => {
    it('runs programs under its own uid, as a root host does under an unprivileged one', async () => {
      const isRoot = process.geteuid?.() === 0;
      const copy = readableCopy();
      try {
        const entryPoint = pathToFileURL(join(copy, 'dist/index.js')).href;
        const host = fork(join(copy, 'test/support/child-host.mjs'), [entryPoint, 'once', backend], {
          execArgv: [],
          cwd: copy,
          env: { PATH: process.env['PATH'] },
          ...(isRoot && { uid: USER, gid: USER }),
        });
        const [message] = (await once(host, 'message')) as [{ run?: RunResult<number>; error?: unknown }];
        const { run } = message;
        assert.ok(run?.ok, JSON.stringify(message));
        assert.equal(run.value, 42);
        assertReceipt(run.receipt);
        assert.equal(run.receipt.backend.name, backend);
        assert.equal(run.receipt.isolation.boundingSet, backend === 'seccomp' ? 'host' : 'empty');
        assert.equal(run.receipt.isolation.userId, isRoot ? USER : process.geteuid?.());
        await once(host, 'exit');
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    });
  });
}
