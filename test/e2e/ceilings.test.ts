/** Pools whose ceilings are as low, or as high, as they may be: each starts, and runs what fits them. */
import assert from 'node:assert/strict';
import { createPool, type Limits } from 'wardenpool';

const CEILINGS: [Partial<Limits>, expected: 'ok' | 'timeout'][] = [
  [{ maxToolCalls: 0 }, 'ok'],
  [{ maxToolCalls: 1 }, 'ok'],
  [{ maxConcurrentToolCalls: 1 }, 'ok'],
  [{ maxResultBytes: 1 }, 'ok'],
  [{ cpuMs: 1 }, 'timeout'],
  [{ timeoutMs: 1 }, 'timeout'],
  [{ memoryBytes: 1_048_576 }, 'ok'],
  [{ memoryBytes: 2_147_483_648 }, 'ok'],
];

describe('ceilings of a pool', () => {
  for (const [limits, expected] of CEILINGS) {
    it(`may be ${JSON.stringify(limits)}`, async () => {
      const pool = await createPool({ threads: 1, limits });
      try {
        const run = await pool.run(expected === 'ok' ? 'return 1;' : 'for (;;);');
        assert.equal(run.ok ? 'ok' : run.error.kind, expected);
      } finally {
        await pool.close();
      }
    });
  }
});
