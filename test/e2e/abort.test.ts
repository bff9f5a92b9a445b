/** A run that is aborted, wherever it is on its way: its caller is told at once, its slot is free again, and nothing is left. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { AbortError, createPool, type Pool, type Receipt } from 'wardenpool';
import { gate } from '../pool/deferred.js';
import { type Holdings, holdingsOf, leftAfter } from '../support/leak-check.js';
import { launchersOf } from '../support/processes.js';

/** Takes hours to be read; the comments hide it from a look at the text. */
const SLOW_TEXT = `const n: number=1;${'a ? /* */ (b) : c => '.repeat(40)}1`;
/** How many turns after its start a run is aborted, at most: by then it is over. */
const MOST_TURNS = 60;

for (const backend of ['namespaces', 'seccomp'] as const)
  describe(`a run that is aborted, on ${backend}`, () => {
    let pool: Pool;
    let before: Holdings;
    let receipts: Receipt[];
    beforeEach(async () => {
      // None warm: each run waits for its sandbox.
      pool = await createPool({ backend, threads: 1, concurrency: 1, warm: { min: 0, max: 0 } });
      // Starts what reads texts.
      assert.ok((await pool.run('const n: number = 1; return n')).ok);
      before = holdingsOf(process.pid);
      receipts = [];
      pool.on('receipt', (receipt) => receipts.push(receipt));
    });
    afterEach(async () => {
      assert.deepEqual(await leftAfter(before), []);
      await pool.close();
    });

    /** Its rejection, and then the end of what was its own. */
    async function isAborted(run: Promise<unknown>, reason: string): Promise<void> {
      await assert.rejects(run, (error) => {
        assert.ok(error instanceof AbortError, String(error));
        assert.equal(error.cause, reason);
        return true;
      });
    }

    async function goesOn(): Promise<void> {
      await pool.drain();
      const { running, queued } = pool.stats;
      assert.deepEqual([running, queued], [0, 0]);
      assert.ok((await pool.run('return 1')).ok);
    }

    it('while its text is read: nothing of it is run', async () => {
      const controller = new AbortController();
      let calls = 0;
      const run = pool.run(SLOW_TEXT, { t: () => calls++ }, { signal: controller.signal });
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      assert.equal(pool.stats.running, 1);
      controller.abort('unread');
      await isAborted(run, 'unread');
      await goesOn();
      assert.equal(receipts[0]?.stop.reason, 'cancelled');
      assert.equal(calls, 0);
    });

    it('while it waits for a sandbox: it is told at once, and nothing of it is run', async () => {
      const { tool, entered, release } = gate();
      const first = pool.run('await tools.t()', { t: tool });
      await entered;
      const [launcher] = launchersOf(process.pid);
      release();
      assert.ok((await first).ok);
      assert.ok(launcher !== undefined);
      const controller = new AbortController();
      process.kill(launcher, 'SIGSTOP');
      try {
        const run = pool.run('for (;;);', {}, { signal: controller.signal });
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        controller.abort('no sandbox');
        await isAborted(run, 'no sandbox');
        assert.equal(pool.stats.running, 1, 'its slot is taken until its sandbox is gone');
      } finally {
        process.kill(launcher, 'SIGCONT');
      }
      await goesOn();
      assert.equal(receipts.at(-2)?.stop.reason, 'cancelled');
    });

    it('at any turn between its slot and its result: it is aborted, or has its result', async () => {
      for (let turns = 0; turns <= MOST_TURNS; turns++) {
        const controller = new AbortController();
        const run = pool.run('return 1', {}, { signal: controller.signal });
        for (let turn = 0; turn < turns; turn++) await setImmediate();
        controller.abort('some time');
        const [end] = await Promise.allSettled([run]);
        if (end?.status === 'rejected') await isAborted(run, 'some time');
        else assert.ok(end?.value.ok, JSON.stringify(end));
        await pool.drain();
      }
      for (const { stop } of receipts) assert.equal(stop.containmentConfirmed, true);
      await goesOn();
    });
  });
