/** A build with sanitizers says so wherever it runs programs, and what does not confine them; every other says nothing of it. */
import assert from 'node:assert/strict';
import { readOnly, spawnIsolated } from 'wardenpool/executor';
import { Executor } from '../../src/executor/executor.js';
import type { Receipt } from '../../src/executor/receipt.js';
import { CEILINGS, EXECUTE, run } from './sandboxes.js';

/** What scripts/sanitize.mjs has built; it runs these tests with its label. */
const LABEL = process.env['WARDENPOOL_SANITIZER_LABEL'];

function assertFilter({ isolation: { seccomp } }: Receipt): void {
  if (LABEL?.includes('no filter')) assert.deepEqual(seccomp, { mode: 'none' });
  else assert.equal(seccomp.mode, 'filter');
}

describe(`receipts of ${LABEL === undefined ? 'a build without sanitizers' : `a build with: ${LABEL}`}`, () => {
  for (const backend of ['namespaces', 'seccomp'] as const)
    it(`say what it is, and whether it has filters, on ${backend}`, async () => {
      const executor = await Executor.open({
        isolation: 'default',
        backend,
        warm: { min: 0, max: 0 },
        ceilings: CEILINGS,
      });
      try {
        const sandbox = await executor.acquire();
        const { end, output } = await run(sandbox, () => sandbox.write(EXECUTE));
        assert.match(output, /"result":1/);
        const [version, ...rest] = (end.receipt.versions.engine ?? '').split(', ');
        assert.match(version ?? '', /^\d+\.\d+\.\d+$/);
        assert.equal(rest.join(', '), LABEL ?? '');
        assertFilter(end.receipt);
      } finally {
        await executor.close();
      }
    });

  it('say whether a command has a filter', async () => {
    const execution = spawnIsolated(['/usr/bin/true'], { policy: readOnly(), backend: 'namespaces' });
    execution.protocol.resume();
    execution.stderr.resume();
    assertFilter((await execution.wait()).receipt);
  });
});
