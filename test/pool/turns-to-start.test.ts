/** Which runs start, where more may have slots than may start at once; and that all of them get on. */
import assert from 'node:assert/strict';
import { AbortError, createPool } from 'wardenpool';
import { AdmissionLine } from '../../src/pool/admission-line.js';
import { gate } from './deferred.js';
import { runsWithTurn } from './queue-waits.js';

const UNBOUNDED = Number.POSITIVE_INFINITY;

describe('turns to start', () => {
  /** Those that started, in their order. */
  function watched(turnsPerTenant: number, now?: () => number) {
    const line = new AdmissionLine(
      {
        concurrency: UNBOUNDED,
        maxConcurrencyPerKey: UNBOUNDED,
        memoryBudgetBytes: UNBOUNDED,
        turnsPerTenant,
      },
      now,
    );
    const started: string[] = [];
    const letIn = (): void => {
      while (line.size > 0) void line.dequeue()?.();
    };
    /** An id begins with its tenant. */
    const demand = (id: string) => ({ key: id[0], memoryBytes: 0 });
    return {
      started,
      enter(id: string, priority = 0): void {
        line.enqueue(async () => started.push(id), { id, priority, ...demand(id) });
        letIn();
      },
      over(id: string): void {
        line.started(demand(id));
        line.release(demand(id));
        letIn();
      },
      withdraw(id: string): void {
        line.remove(id);
        letIn();
      },
    };
  }

  it('are so many, and another for each that has started', () => {
    const { started, enter, over } = watched(2);
    for (const id of ['a1', 'a2', 'a3', 'a4']) enter(id);
    assert.deepEqual(started, ['a1', 'a2']);
    over('a2');
    assert.deepEqual(started, ['a1', 'a2', 'a3']);
    over('a1');
    assert.deepEqual(started, ['a1', 'a2', 'a3', 'a4']);
  });

  it('are as many for a second tenant, and shared by more of them', () => {
    const { started, enter, over } = watched(2);
    for (const id of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2']) enter(id);
    assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2']);
    over('a1');
    over('a2');
    assert.deepEqual(started.slice(4), ['c1', 'c2']);
  });

  it('go to the tenant that had the fewest slots of late, and of those to the one that waits longest', () => {
    let ms = 0;
    const { started, enter, over } = watched(1, () => ms);
    enter('c1'); // for the whole time
    for (let number = 1; number <= 20; number++) enter(`a${number}`);
    for (let number = 1; number <= 10; number++) over(`a${number}`);
    for (let number = 1; number <= 10; number++) enter(`b${number}`);
    started.splice(0);
    over('a11');
    for (let number = 1; number <= 10; number++) over(`b${number}`);
    assert.deepEqual(
      started,
      Array.from({ length: 10 }, (_, index) => `b${index + 1}`).concat('a12'),
      'ten slots of b are still one fewer than those of a',
    );
    ms = 1_000;
    for (const id of ['b11', 'b12']) enter(id);
    for (const id of ['a12', 'b11']) over(id);
    assert.deepEqual(started.slice(-2), ['b11', 'a13'], 'what was a second ago no longer counts');
  });

  it('go to higher priorities first', () => {
    const { started, enter, over } = watched(1);
    for (const id of ['a1', 'b1', 'c1']) enter(id);
    enter('a2', 1);
    over('a1');
    over('b1');
    assert.deepEqual(started, ['a1', 'b1', 'a2', 'c1']);
  });

  it('are not for who is withdrawn', () => {
    const { started, enter, over, withdraw } = watched(1);
    for (const id of ['a1', 'a2', 'a3']) enter(id);
    withdraw('a2');
    withdraw('a2');
    assert.deepEqual(started, ['a1']);
    over('a1');
    assert.deepEqual(started, ['a1', 'a3']);
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

  it('starts those of another tenant at once, although there are enough of the first for all slots', async () => {
    await using pool = await createPool({ threads: 1, concurrency: 20, memoryBudgetBytes: 2 ** 40 });
    const run = (key: string) => pool.run('await tools.t()', { t: () => null }, { key });
    const runs = Array.from({ length: 20 }, () => run('many')).concat(run('few'), run('few'));
    assert.deepEqual([pool.stats.running, pool.stats.queued], [20, 2]);
    assert.equal(await runsWithTurn(pool), 6, 'four of the one, and both of the other');
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
