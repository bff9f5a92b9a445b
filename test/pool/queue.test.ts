import assert from 'node:assert/strict';
import { AbortError, createPool, type Pool, QueueFullError, QueueTimeoutError } from 'wardenpool';
import { deferred, gate } from './deferred.js';

describe('pool: the queue', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1, concurrency: 1, maxQueue: 3 });
  });
  after(() => pool.close());
  afterEach(() => pool.drain());

  /** Takes the only slot until it is released. */
  async function occupy(): Promise<() => void> {
    const { tool, entered, release } = gate();
    void pool.run('await tools.t()', { t: tool });
    await entered;
    return release;
  }

  it('runs what waits in the order of its priority', async () => {
    const release = await occupy();
    const order: number[] = [];
    const runs = [0, 5, -1].map((priority) =>
      pool.run('await tools.t()', { t: () => void order.push(priority) }, { priority }),
    );
    assert.equal(pool.stats.queued, 3);
    assert.equal(pool.stats.running, 1);
    release();
    await Promise.all(runs);
    assert.deepEqual(order, [5, 0, -1]);
  });

  it('rejects at once what is too much', async () => {
    const release = await occupy();
    const waiting = [1, 2, 3].map(() => pool.run('return 1'));
    await assert.rejects(pool.run('return 1', {}, { executionId: 'late' }), (error) => {
      assert.ok(error instanceof QueueFullError);
      assert.equal(error.code, 'QUEUE_FULL');
      assert.equal(error.executionId, 'late');
      assert.equal(error.retryable, true);
      return true;
    });
    release();
    assert.ok((await Promise.all(waiting)).every(({ ok }) => ok));
  });

  it('takes the next run as soon as a result is there, also without a queue', async () => {
    const narrow = await createPool({ threads: 1, concurrency: 1, maxQueue: 0 });
    try {
      for (let round = 0; round < 20; round++) assert.ok((await narrow.run('return 1')).ok);
    } finally {
      await narrow.close();
    }
  });

  it('says when to wait and when to go on', async () => {
    const events: string[] = [];
    const onNeedsDrain = () => events.push('needsDrain');
    const onDrain = () => events.push('drain');
    pool.on('needsDrain', onNeedsDrain).on('drain', onDrain);
    const release = await occupy();
    const waiting = [pool.run('1'), pool.run('1')];
    assert.deepEqual(events, ['needsDrain']);
    release();
    await Promise.all(waiting);
    assert.deepEqual(events, ['needsDrain', 'drain']);
    pool.off('needsDrain', onNeedsDrain).off('drain', onDrain);
  });

  it('takes a run out of the queue when it is aborted', async () => {
    const release = await occupy();
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const run = pool.run('return 1', {}, { signal: controller.signal });
    assert.equal(pool.stats.queued, 1);
    controller.abort(reason);
    await assert.rejects(run, (error) => {
      assert.ok(error instanceof AbortError);
      assert.equal(error.name, 'AbortError');
      assert.equal(error.code, 'ABORT_ERR');
      assert.equal(error.cause, reason);
      return true;
    });
    assert.equal(pool.stats.queued, 0);
    release();
  });

  it('rejects a run whose signal was aborted before', async () => {
    const { aborted, started } = pool.stats;
    await assert.rejects(pool.run('return 1', {}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.equal(pool.stats.aborted, aborted + 1);
    assert.equal(pool.stats.started, started + 1);
  });

  it('aborts a running program, its handlers, and nothing else', async () => {
    const controller = new AbortController();
    const handlerAborted = deferred<unknown>();
    const entered = deferred();
    const receipt = deferred<string | null>();
    pool.once('receipt', ({ stop }) => receipt.resolve(stop.reason));
    const run = pool.run(
      'await tools.t(); for(;;);',
      {
        t: (_input: object, { signal }: { signal: AbortSignal }) => {
          signal.addEventListener('abort', () => handlerAborted.resolve(signal.reason));
          entered.resolve();
          return new Promise(() => {});
        },
      },
      { signal: controller.signal },
    );
    await entered.promise;
    controller.abort('enough');
    await assert.rejects(run, (error) => {
      assert.ok(error instanceof AbortError);
      assert.equal(error.cause, 'enough');
      assert.deepEqual(
        error.toolCalls.map(({ outcome }) => outcome),
        ['abandoned'],
      );
      assert.equal(error.retryable, false);
      return true;
    });
    assert.equal(await handlerAborted.promise, 'enough');
    assert.equal(await receipt.promise, 'cancelled');
    assert.ok((await pool.run('return 1')).ok);
  });

  it('aborts a busy program', async () => {
    const controller = new AbortController();
    const entered = deferred();
    const run = pool.run(
      'tools.t(); for (;;) await null;',
      { t: () => entered.resolve() },
      { signal: controller.signal },
    );
    await entered.promise;
    controller.abort();
    await assert.rejects(run, { name: 'AbortError' });
    await pool.drain();
    assert.equal(pool.stats.running, 0);
  });

  it('leaves a finished run alone when its signal is aborted later', async () => {
    const controller = new AbortController();
    const run = await pool.run('return 1', {}, { signal: controller.signal });
    const { aborted } = pool.stats;
    controller.abort();
    assert.equal(run.ok && run.value, 1);
    assert.equal(pool.stats.aborted, aborted);
  });

  it('rejects what waited longer than queueTimeoutMs', async () => {
    const impatient = await createPool({ threads: 1, concurrency: 1, queueTimeoutMs: 30 });
    try {
      const { tool, entered, release } = gate();
      const first = impatient.run('await tools.t()', { t: tool });
      await entered;
      await assert.rejects(impatient.run('return 1'), (error) => {
        assert.ok(error instanceof QueueTimeoutError);
        assert.equal(error.retryable, true);
        return true;
      });
      assert.equal(impatient.stats.queued, 0);
      release();
      assert.ok((await first).ok);
    } finally {
      await impatient.close();
    }
  });

  it('counts the limit of a run from its slot on', async () => {
    const release = await occupy();
    // Long enough for the program, on any machine, and shorter than its wait.
    const waiting = pool.run('return 1', {}, { limits: { timeoutMs: 1_000 } });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    release();
    const run = await waiting;
    assert.ok(run.ok);
    assert.ok(run.usage.queueMs > 1_000, `${run.usage.queueMs} ms`);
  });
});
