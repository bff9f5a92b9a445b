/** Who gets a slot when there are too few: tenants, their bounds, and the memory budget. */
import assert from 'node:assert/strict';
import { AbortError, createPool, InvalidOptionError, type Pool, QueueFullError } from 'wardenpool';
import { eventually } from '../support/processes.js';
import { gate } from './deferred.js';

const WAIT = 'await tools.t();';
const MIB = 1_048_576;

describe('pool: tenants', () => {
  let pool: Pool;
  beforeEach(async () => {
    pool = await createPool({ threads: 1, concurrency: 2, maxConcurrencyPerKey: 2, maxQueue: 40 });
  });
  afterEach(() => pool.destroy());

  it('serves a tenant that comes late before one that has everything', async () => {
    const order: string[] = [];
    let both: (() => void)[] = [];
    // Two have a slot at a time, and have it until both are here: whichever is slower, these are the next two of the order.
    const hold = (key: string) =>
      new Promise<void>((resolve) => {
        order.push(key);
        if (both.push(resolve) < 2) return;
        for (const goOn of both) goOn();
        both = [];
      });
    const run = (key: string) => pool.run(WAIT, { t: () => hold(key) }, { key });
    const runs = [...Array.from({ length: 20 }, () => run('busy')), run('late'), run('late')];
    assert.ok((await Promise.all(runs)).every(({ ok }) => ok));
    // Two were running before it came; from then on the tenant with fewer slots is the next.
    assert.deepEqual(order.slice(2, 6).sort(), ['busy', 'busy', 'late', 'late']);
  });

  it('gives no tenant more slots than its bound, and the others what is free', async () => {
    await pool.destroy();
    pool = await createPool({ threads: 1, concurrency: 8, maxConcurrencyPerKey: 2, maxQueue: 40 });
    const { tool, entered, release } = gate(5);
    const runs = ['a', 'a', 'a', 'a', 'b', undefined, undefined, undefined].map((key) =>
      pool.run(WAIT, { t: tool }, { key }),
    );
    await entered;
    assert.equal(pool.stats.running, 5);
    assert.equal(pool.stats.queued, 3);
    release();
    assert.ok((await Promise.all(runs)).every(({ ok }) => ok));
  });

  it('takes a run that can start at once, however many of other tenants wait', async () => {
    await pool.destroy();
    pool = await createPool({ threads: 1, concurrency: 8, maxConcurrencyPerKey: 1, maxQueue: 1 });
    const { tool, entered, release } = gate(2);
    const runs = ['a', 'a'].map((key) => pool.run(WAIT, { t: tool }, { key }));
    await assert.rejects(pool.run(WAIT, { t: tool }, { key: 'a' }), QueueFullError);
    runs.push(pool.run(WAIT, { t: tool }, { key: 'b' }));
    await entered;
    release();
    assert.ok((await Promise.all(runs)).every(({ ok }) => ok));
  });
});

describe('pool: the memory budget', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({
      threads: 1,
      concurrency: 8,
      limits: { memoryBytes: 32 * MIB },
      memoryBudgetBytes: 48 * MIB,
    });
  });
  after(() => pool.destroy());
  afterEach(() => pool.drain());

  const sized = (tool: () => unknown, memoryBytes: number, signal?: AbortSignal) =>
    pool.run(WAIT, { t: tool }, { limits: { memoryBytes }, signal });

  it('lets run what fits, and the rest wait', async () => {
    const { tool, entered, release } = gate(2);
    const runs = [32, 16, 16].map((size) => sized(tool, size * MIB));
    await entered;
    assert.equal(pool.stats.running, 2);
    assert.equal(pool.stats.queued, 1);
    release();
    assert.ok((await Promise.all(runs)).every(({ ok }) => ok));
  });

  it('lets all run that have room when a large one is over', async () => {
    const { tool, entered, release } = gate();
    const large = sized(tool, 32 * MIB);
    await entered;
    const small = gate(2);
    const others = [24, 24].map((size) => sized(small.tool, size * MIB));
    assert.equal(pool.stats.queued, 2);
    release();
    await small.entered;
    small.release();
    assert.ok((await Promise.all([large, ...others])).every(({ ok }) => ok));
  });

  it('does not let smaller runs pass a large one for ever', async () => {
    const { tool, release } = gate();
    const first = sized(tool, 32 * MIB);
    const large = sized(tool, 32 * MIB);
    const small = sized(tool, 4 * MIB);
    assert.equal(pool.stats.queued, 2);
    release();
    assert.ok((await Promise.all([first, large, small])).every(({ ok }) => ok));
  });

  it('goes on with the others when the one that they waited for is aborted', async () => {
    const { tool, release } = gate();
    const controller = new AbortController();
    const first = sized(tool, 32 * MIB);
    const large = sized(tool, 32 * MIB, controller.signal);
    const small = sized(tool, 4 * MIB);
    controller.abort();
    await assert.rejects(large, AbortError);
    assert.ok(await eventually(() => pool.stats.running === 2, 5_000));
    release();
    assert.ok((await Promise.all([first, small])).every(({ ok }) => ok));
  });

  it('refuses a budget in which no run has room', async () => {
    await assert.rejects(createPool({ memoryBudgetBytes: MIB }), (error) => {
      assert.ok(error instanceof InvalidOptionError);
      assert.match(
        error.message,
        /memoryBudgetBytes of createPool\(\) is 1048576, less than limits\.memoryBytes/,
      );
      return true;
    });
  });
});
