/** Which runs start, of those that have slots; and that a pool whose slots are full starts them a few at a time. */
import assert from 'node:assert/strict';
import { AbortError, createPool } from 'wardenpool';
import { StartGate } from '../../src/pool/start-gate.js';
import { gate } from './deferred.js';
import { runsWithTurn } from './queue-waits.js';

describe('the gate before a start', () => {
  /** Those that were let in, in their order, each with what says that it has started. */
  function watched(most: number, now?: () => number) {
    const gateBefore = new StartGate(most, now);
    const started: string[] = [];
    const onStarted = new Map<string, () => void>();
    const enter = (id: string, key?: string, priority = 0): void =>
      gateBefore.enter({ id, key, priority }, (done) => {
        started.push(id);
        onStarted.set(id, done);
      });
    return { gateBefore, started, enter, over: (id: string) => onStarted.get(id)?.() };
  }

  it('lets in so many, and another for each that has started', () => {
    const { started, enter, over } = watched(2);
    for (const id of ['a', 'b', 'c', 'd']) enter(id);
    assert.deepEqual(started, ['a', 'b']);
    over('b');
    over('b');
    assert.deepEqual(started, ['a', 'b', 'c']);
    over('a');
    assert.deepEqual(started, ['a', 'b', 'c', 'd']);
  });

  it('lets in the tenant that had the fewest turns of late, and of those the one that waits longest', () => {
    let ms = 0;
    const { started, enter, over } = watched(1, () => ms);
    for (let number = 1; number <= 20; number++) enter(`a${number}`, 'a');
    for (let number = 1; number <= 10; number++) over(`a${number}`);
    for (let number = 1; number <= 10; number++) enter(`b${number}`, 'b');
    started.splice(0);
    over('a11');
    for (let number = 1; number <= 10; number++) over(`b${number}`);
    assert.deepEqual(
      started,
      Array.from({ length: 10 }, (_, index) => `b${index + 1}`).concat('a12'),
      'ten turns of b are still one fewer than those of a',
    );
    ms = 1_000;
    for (const id of ['b11', 'b12']) enter(id, 'b');
    for (const id of ['a12', 'b11']) over(id);
    assert.deepEqual(started.slice(-2), ['b11', 'a13'], 'what was a second ago no longer counts');
  });

  it('takes turns between tenants that had as many', () => {
    const { started, enter, over } = watched(1);
    for (const id of ['a1', 'a2', 'a3']) enter(id, 'a');
    for (const id of ['b1', 'b2', 'b3']) enter(id, 'b');
    for (const id of ['a1', 'b1', 'a2', 'b2', 'a3']) over(id);
    assert.deepEqual(started, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  });

  it('lets in the tenant with the fewest turns, and higher priorities first', () => {
    const { started, enter, over } = watched(2);
    for (const id of ['a1', 'a2', 'a3', 'a4']) enter(id, 'a');
    enter('b', 'b');
    enter('urgent', 'a', 1);
    over('a1');
    over('a2');
    assert.deepEqual(started, ['a1', 'a2', 'urgent', 'b']);
  });

  it('lets in another when one neither starts nor ends', async () => {
    const { started, enter } = watched(1);
    enter('for ever');
    await new Promise<void>((resolve) => {
      const gateBefore = new StartGate(1);
      gateBefore.enter({ id: 'for ever', key: undefined, priority: 0 }, () => {});
      gateBefore.enter({ id: 'next', key: undefined, priority: 0 }, () => resolve());
    });
    assert.deepEqual(started, ['for ever']);
  });

  it('calls what is withdrawn, and counts it for nothing', () => {
    const { gateBefore, started, enter, over } = watched(1);
    for (const id of ['a', 'b', 'c']) enter(id);
    gateBefore.withdraw('b');
    gateBefore.withdraw('b');
    gateBefore.withdraw('a');
    assert.deepEqual(started, ['a', 'b']);
    over('b');
    assert.deepEqual(started, ['a', 'b']);
    over('a');
    assert.deepEqual(started, ['a', 'b', 'c']);
  });
});

describe('a pool with more slots than can start at once', () => {
  it('has all of them wait for their tools at the same time, all the same', async () => {
    await using pool = await createPool({ threads: 1, concurrency: 20, memoryBudgetBytes: 2 ** 40 });
    const { tool, entered, release } = gate(20);
    const runs = Array.from({ length: 20 }, () => pool.run('await tools.t()', { t: tool }));
    assert.deepEqual([pool.stats.running, pool.stats.queued], [20, 0]);
    await entered;
    release();
    assert.ok((await Promise.all(runs)).every(({ ok }) => ok));
  });

  it('keeps nobody waiting for what computes', async () => {
    await using pool = await createPool({ threads: 1, concurrency: 20, memoryBudgetBytes: 2 ** 40 });
    const over = new AbortController();
    const spinning = Array.from({ length: 8 }, () =>
      assert.rejects(pool.run('for (;;);', {}, { signal: over.signal }), AbortError),
    );
    assert.equal((await pool.run('return 1')).ok, true);
    over.abort();
    await Promise.all(spinning);
  });

  it('tells at once who is aborted before it starts, and has its slot again', async () => {
    await using pool = await createPool({ threads: 1, concurrency: 8, memoryBudgetBytes: 2 ** 40 });
    const { tool, release } = gate();
    const over = new AbortController();
    const runs = Array.from({ length: 8 }, (_, index) =>
      pool.run('await tools.t()', { t: tool }, index === 7 ? { signal: over.signal } : {}),
    );
    over.abort();
    await assert.rejects(runs.pop() ?? Promise.resolve(), AbortError);
    const next = pool.run('return 1');
    assert.equal(await runsWithTurn(pool), 4, 'the rest wait, or are just about to start');
    release();
    assert.ok((await Promise.all([...runs, next])).every(({ ok }) => ok));
  });
});
