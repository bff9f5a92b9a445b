/**
 * Everything that can end a run, in every order of few: what the caller is told is what came first, every promise settles in bounded
 * time, and nothing is left.
 */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { createPool, type Pool, type PoolError, type RunResult } from 'wardenpool';
import { gate } from '../pool/deferred.js';
import { type Holdings, holdingsOf, leftAfter } from '../support/leak-check.js';
import { launchersOf } from '../support/processes.js';
import { arrangements } from '../support/sequences.js';

/** A run that waits for one tool, has called another that it does not wait for, and can be aborted. */
interface Course {
  pool: Pool;
  launcher: number;
  closeMs: number;
  abort(): void;
  answer(): void;
  answerLate(): void;
}

/** What `close()` waits for a run that does not end, ms. */
const CLOSE_MS = 150;

const ACTS: Record<string, (course: Course) => unknown> = {
  abort: ({ abort }) => abort(),
  'end of the run': ({ answer }) => answer(),
  'late answer': ({ answerLate }) => answerLate(),
  'loss of the launcher': ({ launcher }) => process.kill(launcher, 'SIGKILL'),
  close: ({ pool, closeMs }) => pool.close({ timeoutMs: closeMs }),
  'close again': ({ pool, closeMs }) => pool.close({ timeoutMs: closeMs }),
  destroy: ({ pool }) => pool.destroy(),
};

/** What each brings a run to: at once, in the same turn, or later. */
const AT_ONCE: Record<string, string> = { abort: 'ABORT_ERR', destroy: 'POOL_CLOSED' };
const LATER: Record<string, string> = {
  'end of the run': 'ok',
  'loss of the launcher': 'WORKER_LOST',
  close: 'POOL_CLOSED',
  'close again': 'POOL_CLOSED',
};

const ENDS_THE_POOL = ['close', 'close again', 'destroy'];
const ENDS = 'end of the run';
const LOSES = 'loss of the launcher';

/** Longer than any wait of the pool; machines are busy. */
const LONGEST_MS = 20_000;

const SPACING: Record<string, () => Promise<void> | undefined> = {
  'in one turn': () => undefined,
  'a turn apart': () => setImmediate(),
};

const OPTIONS = { threads: 1, warm: { min: 0, max: 0 } };

/** The second `close()` is one only after the first. */
function orders(length: number): string[][] {
  return arrangements(Object.keys(ACTS), length).filter((names) => {
    const again = names.indexOf('close again');
    return again === -1 || names.slice(0, again).includes('close');
  });
}

async function tried(pool: Pool, names: readonly string[], spacing: string): Promise<void> {
  const label = `${names.join(', ')}; ${spacing}`;
  const awaited = gate();
  const late = gate();
  const controller = new AbortController();
  const run = pool.run(
    'tools.late(); return await tools.awaited()',
    { awaited: awaited.tool, late: late.tool },
    { signal: controller.signal },
  );
  const ended = Promise.allSettled([run]);
  await Promise.all([awaited.entered, late.entered]);
  const course: Course = {
    pool,
    launcher: names.includes(LOSES) ? (launchersOf(process.pid)[0] ?? assert.fail('no launcher')) : 0,
    // Who sees to the end of the run gets it, however long a busy machine takes to it.
    closeMs: names.includes(ENDS) || names.includes(LOSES) ? LONGEST_MS : CLOSE_MS,
    abort: () => controller.abort('enough'),
    answer: awaited.release,
    answerLate: late.release,
  };
  const begun = performance.now();
  const others: unknown[] = [];
  for (const name of names) {
    others.push(ACTS[name]?.(course));
    await SPACING[spacing]?.();
  }
  // Nothing of it may be an end.
  if (names.every((name) => name === 'late answer')) awaited.release();
  const [end] = await ended;
  assert.ok(end !== undefined);
  checkEnd(end, names, spacing, label);
  await Promise.all(others);
  // What comes when all is over comes too late, and does no harm.
  awaited.release();
  late.release();
  controller.abort();
  if (names.some((name) => ENDS_THE_POOL.includes(name))) {
    await assert.rejects(pool.run('return 1'), { code: 'POOL_CLOSED' }, label);
    await pool.close();
    assert.equal(pool.stats.threads, 0, label);
  } else {
    await pool.drain();
    assert.ok((await next(pool)).ok, label);
  }
  assert.deepEqual([pool.stats.running, pool.stats.queued], [0, 0], label);
  assert.ok(performance.now() - begun < LONGEST_MS, label);
}

/** A launcher may have been lost, and nobody have heard of it yet: then whoever comes is told to try again. */
async function next(pool: Pool): Promise<RunResult<unknown>> {
  return pool.run('return 1').catch((error: PoolError) => {
    if (error.code === 'WORKER_LOST' && error.retryable) return pool.run('return 1');
    throw error;
  });
}

function checkEnd(
  end: PromiseSettledResult<RunResult<unknown>>,
  names: readonly string[],
  spacing: string,
  label: string,
): void {
  const first = names.findIndex((name) => name in AT_ONCE);
  const before = first === -1 ? names : names.slice(0, first);
  const decided = names[first];
  const expected = new Set<string>();
  if (decided !== undefined) expected.add(AT_ONCE[decided] ?? '');
  // Of what takes a while, and was there before: each may be first, unless there was no turn for it.
  if (decided === undefined || spacing !== 'in one turn')
    for (const name of before) if (name in LATER) expected.add(LATER[name] ?? '');
  if (expected.size === 0) expected.add('ok');
  // A run that can end does so while `close()` waits.
  if (decided === undefined && names.some((name) => name === ENDS || name === LOSES))
    expected.delete('POOL_CLOSED');
  if (end.status === 'fulfilled') {
    assert.ok(end.value.ok, label);
    assert.ok(expected.has('ok'), `${label}: it ended by itself, instead of ${[...expected]}`);
    assert.equal(end.value.receipt.state, 'complete', label);
  } else {
    const { code, retryable, toolCalls } = end.reason as PoolError;
    assert.ok(expected.has(code), `${label}: ${end.reason}, instead of ${[...expected]}`);
    assert.equal(retryable, false, `${label}: a handler had started`);
    assert.equal(toolCalls.length, 2, label);
    assert.ok(
      toolCalls.every(({ outcome }) => outcome === 'abandoned' || outcome === 'ok'),
      label,
    );
  }
}

describe('the end of a run, in every order of what can bring it', () => {
  let before: Holdings;
  beforeEach(async () => {
    // What a first pool makes for all that come after it.
    await (await createPool(OPTIONS)).close();
    before = holdingsOf(process.pid);
  });
  afterEach(async () => {
    assert.deepEqual(await leftAfter(before, {}, LONGEST_MS), []);
  });

  for (const spacing of Object.keys(SPACING)) {
    it(`in a pool that goes on, ${spacing}`, async () => {
      const all = [1, 2, 3]
        .flatMap(orders)
        .filter((names) => !names.some((name) => ENDS_THE_POOL.includes(name)));
      const pool = await createPool(OPTIONS);
      // Launchers that are lost one after the other are waited with.
      for (const names of all)
        if (!names.includes(LOSES) || names.length < 3) await tried(pool, names, spacing);
      await pool.close();
    });

    it(`with the end of its pool, ${spacing}`, async () => {
      // Where a turn lies between, what comes before the end of the pool is as in a pool that goes on.
      const isTried = (names: readonly string[]) =>
        spacing === 'in one turn' || ENDS_THE_POOL.includes(names[0] ?? '');
      const all = [1, 2]
        .flatMap(orders)
        .filter((names) => names.some((name) => ENDS_THE_POOL.includes(name)) && isTried(names));
      const attempt = async (names: readonly string[]) => tried(await createPool(OPTIONS), names, spacing);
      // Alone, so that the launcher which is there is the one of its pool.
      for (const names of all.filter((each) => each.includes(LOSES))) await attempt(names);
      const rest = all.filter((each) => !each.includes(LOSES));
      const lanes = Array.from({ length: 4 }, async () => {
        for (let names = rest.pop(); names !== undefined; names = rest.pop()) await attempt(names);
      });
      await Promise.all(lanes);
    });
  }
});
