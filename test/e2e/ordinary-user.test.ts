import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunResult } from 'wardenpool';
import { ORDINARY_USER, readableCopy } from '../support/readable-copy.js';
import { assertReceipt } from '../support/receipts.js';

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`an ordinary user, on ${backend}`, () => {
    it('runs programs under its own uid, as a root host does under an unprivileged one', async () => {
      const copy = readableCopy();
      const isRoot = process.geteuid?.() === 0;
      const entryPoint = pathToFileURL(join(copy, 'dist/index.js')).href;
      const host = fork(join(copy, 'test/support/child-host.mjs'), [entryPoint, 'once', backend], {
        execArgv: [],
        cwd: copy,
        env: { PATH: process.env['PATH'] },
        ...(isRoot && { uid: ORDINARY_USER, gid: ORDINARY_USER }),
      });
      const [message] = (await once(host, 'message')) as [{ run?: RunResult<number>; error?: unknown }];
      const { run } = message;
      assert.ok(run?.ok, JSON.stringify(message));
      assert.equal(run.value, 42);
      assertReceipt(run.receipt);
      assert.equal(run.receipt.backend.name, backend);
      assert.equal(run.receipt.isolation.boundingSet, backend === 'seccomp' ? 'host' : 'empty');
      assert.equal(run.receipt.isolation.userId, isRoot ? ORDINARY_USER : process.geteuid?.());
      await once(host, 'exit');
    });
  });
}
