/** Programs that use much CPU time beside those that do not: npm run bench:hostile measures it, this sees that it is done. */
import assert from 'node:assert/strict';
import { createPool, type PoolOptions } from 'wardenpool';
import { eventually, niceOf, sandboxesOf } from '../support/processes.js';

const POOLS: Record<string, PoolOptions> = {
  namespaces: { backend: 'namespaces' },
  'namespaces, strict': { backend: 'namespaces', isolation: 'strict' },
  seccomp: { backend: 'seccomp' },
};

for (const [name, options] of Object.entries(POOLS)) {
  describe(`a busy sandbox, on ${name}`, () => {
    it('gives way to the others once it has used much CPU time, and one that waits does not', async () => {
      await using pool = await createPool({ ...options, threads: 1, warm: { min: 0, max: 0 } });
      let go: () => void = () => {};
      const gone = new Promise<void>((resolve) => {
        go = resolve;
      });
      const waiting = pool.run('await tools.wait({})', { wait: () => gone });
      const isAlone = () => sandboxesOf(process.pid).length === 1;
      assert.ok(await eventually(isAlone, 10_000), 'the waiting run has a sandbox');
      const [waits = 0] = sandboxesOf(process.pid);
      const abort = new AbortController();
      const busy = pool.run('for (;;);', {}, { signal: abort.signal });
      const demoted = () => sandboxesOf(process.pid).filter((pid) => niceOf(pid) === 12);
      assert.ok(await eventually(() => demoted().length > 0, 10_000), 'the busy one is demoted');
      assert.equal(demoted().includes(waits), false);
      assert.equal(niceOf(waits), Math.max(5, niceOf(process.pid) ?? 0), 'all of them give way to the host');
      abort.abort();
      await assert.rejects(busy, { name: 'AbortError' });
      go();
      assert.equal((await waiting).ok, true);
    });
  });
}
