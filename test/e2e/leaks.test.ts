import assert from 'node:assert/strict';
import { createPool } from 'wardenpool';
import { eventually, footprint } from '../support/processes.js';

/** Programs with their expected ends: a value, or the kind of the error. */
const PROGRAMS: [code: string, end: string][] = [
  ['return (await tools.double({ value: 21 })).value;', 'ok'],
  ['return 1;', 'ok'],
  ['null.x;', 'javascript'],
  ['for(;;){}', 'timeout'],
  ["await tools.fail({}); return 'not reached';", 'javascript'],
  ['const all = []; for (;;) all.push(new Array(100000).fill(1));', 'memory'],
  ['const f = () => f(); f();', 'javascript'],
  ['await new Promise(() => {});', 'javascript'],
  ['tools.double({ value: 1 }); return 2;', 'ok'],
  ["return 'x'.repeat(2_000_000);", 'result_limit'],
];

for (const backend of ['namespaces', 'seccomp'] as const) {
  describe(`leaks, on ${backend}`, () => {
    it('leaves nothing behind after 1,000 runs at 32 in flight with mixed outcomes', async function () {
      this.timeout(180_000);
      const before = footprint();
      const pool = await createPool({
        backend,
        threads: 2,
        limits: { timeoutMs: 30_000, memoryBytes: 16_777_216 },
      });
      const tools = {
        double: ({ value }: { value: number }) => ({ value: value * 2 }),
        fail: () => {
          throw new Error('a tool that fails');
        },
      };
      const runOne = async (index: number) => {
        const [code, expected] = PROGRAMS[index % PROGRAMS.length] ?? assert.fail();
        const controller = new AbortController();
        if (index % 37 === 0) setTimeout(() => controller.abort(), 5);
        try {
          const limits = expected === 'timeout' ? { timeoutMs: 50 } : {};
          const run = await pool.run(code, tools, { limits, signal: controller.signal });
          assert.equal(run.ok ? 'ok' : run.error.kind, expected, code);
        } catch (error) {
          if ((error as Error).name !== 'AbortError') throw error;
        }
      };

      await Promise.all(Array.from({ length: 32 }, (_, index) => runOne(index)));
      const warmedUp = footprint();
      let next = 0;
      await Promise.all(
        Array.from({ length: 32 }, async () => {
          while (next < 1_000) await runOne(next++);
        }),
      );

      // The warm sets of two threads may be at any size within their limits: three descriptors each, one process.
      const slack = 2 * 32;
      const settled = () => {
        const now = footprint();
        return (
          now.processes <= warmedUp.processes + slack &&
          now.descriptors <= warmedUp.descriptors + 3 * slack &&
          now.threads <= warmedUp.threads &&
          now.mounts === warmedUp.mounts
        );
      };
      assert.ok(await eventually(settled, 5_000), JSON.stringify({ warmedUp, now: footprint() }));
      // A run that was aborted last rejects before its sandbox is gone.
      assert.ok(await eventually(() => pool.stats.running === 0, 5_000), String(pool.stats.running));

      await pool.close();
      const gone = () => {
        const now = footprint();
        return (
          now.processes <= before.processes &&
          now.descriptors <= before.descriptors + 8 &&
          now.mounts === before.mounts
        );
      };
      assert.ok(await eventually(gone, 5_000), JSON.stringify({ before, now: footprint() }));
    });
  });
}
