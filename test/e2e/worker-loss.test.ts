/** Worker threads that fail in every way, under a pool with runs on them: what callers are told, and that the pool heals. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { createPool, type Pool, WorkerLostError } from 'wardenpool';
import { gate } from '../pool/deferred.js';
import { descendants, eventually, sandboxesOf } from '../support/processes.js';
import { WorkerThreads } from '../support/worker-threads.js';

/** What is done to a thread, and what its runs are told of it. */
const FAILURES: readonly [title: string, expression: string, reason: RegExp][] = [
  ['throws', 'setTimeout(() => { throw new Error("out of the blue") })', /failed: .*out of the blue/],
  ['rejects what nobody handles', 'Promise.reject(new Error("unhandled"))', /failed: .*unhandled/],
  ['exits', 'process.exit(3)', /exited with code 3/],
  ['never comes to an end of its turn', 'for (;;);', /did not answer for 10 s/],
];

/** Longer than any thread is silent before it is given up. */
const SOON_MS = 30_000;

async function readiness(pool: Pool): Promise<() => Promise<{ status: number; text: string }>> {
  const { port } = (await pool.metricsServer()).address() as AddressInfo;
  return async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return { status: response.status, text: await response.text() };
  };
}

describe('a worker thread that fails', () => {
  let threads: WorkerThreads;
  let pool: Pool;
  beforeEach(() => {
    threads = new WorkerThreads();
  });
  afterEach(async () => {
    threads.close();
    await pool.close();
  });

  /** One run whose handler has started, and one without a call. */
  async function runs() {
    const { tool, entered } = gate();
    const both = [pool.run('await tools.t()', { t: tool }), pool.run('for (;;);')] as const;
    await entered;
    await eventually(() => pool.stats.running === 2, 5_000);
    const settled = Promise.allSettled(both);
    return async (reason: RegExp) => {
      const errors = (await settled).map((run) => (run.status === 'rejected' ? run.reason : run.value));
      for (const error of errors) {
        assert.ok(error instanceof WorkerLostError, JSON.stringify(error));
        assert.match(error.message, reason);
      }
      assert.deepEqual(
        errors.map(({ retryable }) => retryable),
        [false, true],
      );
      assert.equal(errors[0].toolCalls[0].outcome, 'abandoned');
    };
  }

  for (const [title, expression, reason] of FAILURES)
    it(`and ${title} takes its runs and its sandboxes along, and is replaced`, async () => {
      const others = new Set(descendants(process.pid));
      pool = await createPool({ threads: 1 });
      const isReady = await readiness(pool);
      const before = descendants(process.pid).filter((pid) => !others.has(pid));
      const exited = new Promise<number>((resolve) => pool.once('workerExit', (it) => resolve(it.threadId)));
      const rejected = await runs();
      const lost = pool.stats.perThread[0]?.threadId ?? assert.fail();
      await threads.evaluate(lost, expression);
      await rejected(reason);
      const left = new Set(descendants(process.pid));
      assert.deepEqual(
        before.filter((pid) => left.has(pid)),
        [],
        'no launcher and no sandbox of it is left when its runs are told',
      );
      assert.equal(await exited, lost);

      assert.ok((await pool.run('return 1')).ok);
      assert.equal(pool.stats.threads, 1);
      assert.equal(pool.stats.launchers, 1);
      assert.notEqual(pool.stats.perThread[0]?.threadId, lost);
      assert.deepEqual(await isReady(), { status: 200, text: 'ready\n' });
      assert.ok(await eventually(() => pool.stats.warm >= 2, SOON_MS), 'its sandboxes are warm again');
      assert.match(await pool.registry.metrics(), /wardenpool_worker_restarts_total 1/);
    });

  it('and runs out of heap is replaced', async () => {
    setFlagsFromString('--max-old-space-size=64'); // of isolates to come
    try {
      pool = await createPool({ threads: 1 });
    } finally {
      setFlagsFromString('--max-old-space-size=0');
    }
    const rejected = await runs();
    const lost = pool.stats.perThread[0]?.threadId ?? assert.fail();
    await threads.evaluate(lost, 'const all = []; for (;;) all.push(new Array(1e4).fill({}))');
    await rejected(/memory/);
    assert.ok((await pool.run('return 1')).ok);
  });

  it('leaves the runs of the others alone, and says not ready only while there is none', async () => {
    pool = await createPool({ threads: 2 });
    const isReady = await readiness(pool);
    const { tool, entered, release } = gate(2);
    const [one, other] = [0, 1].map(() => pool.run('return await tools.t()', { t: tool }));
    await entered;
    const [first, second] = pool.stats.perThread.map(({ threadId }) => threadId);
    await threads.evaluate(first ?? assert.fail(), 'process.exit(1)');
    await Promise.race(
      [one, other].map((run) =>
        run?.then(
          () => {},
          () => {},
        ),
      ),
    );
    assert.equal((await isReady()).status, 200);
    release();
    const ends = await Promise.allSettled([one, other]);
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);

    await threads.evaluate(second ?? assert.fail(), 'process.exit(1)');
    await eventually(() => pool.stats.perThread.every(({ threadId }) => threadId !== second), SOON_MS);
    assert.ok((await pool.run('return 1')).ok);
    assert.ok(await eventually(() => pool.stats.threads === 2, SOON_MS));
  });

  it('again and again is waited with, and comes back', async () => {
    pool = await createPool({ threads: 1, warm: { min: 0, max: 0 } });
    const isReady = await readiness(pool);
    let losses = 0;
    pool.on('workerExit', () => losses++);
    for (let i = 0; i < 4; i++) {
      assert.ok((await pool.run('return 1')).ok);
      const { threadId } = pool.stats.perThread[0] ?? assert.fail();
      await threads.evaluate(threadId, 'process.exit(1)');
      assert.ok(await eventually(() => losses === i + 1, SOON_MS));
      const { status, text } = await isReady();
      assert.ok(status === 200 || /being started/.test(text), text);
    }
    assert.ok((await pool.run('return 1')).ok);
    assert.equal((await isReady()).status, 200);
    assert.equal(losses, 4);
  });

  it('while the pool is closed does not hold that up', async () => {
    pool = await createPool({ threads: 1 });
    const { tool, entered } = gate();
    const run = pool.run('await tools.t()', { t: tool }).catch(({ name }: Error) => name);
    await entered;
    await threads.evaluate(pool.stats.perThread[0]?.threadId ?? assert.fail(), 'for (;;);');
    const begun = performance.now();
    await pool.destroy();
    assert.ok(performance.now() - begun < 15_000);
    assert.equal(await run, 'PoolClosedError');
    assert.ok(await eventually(() => sandboxesOf(process.pid).length === 0, 5_000));
  });
});
