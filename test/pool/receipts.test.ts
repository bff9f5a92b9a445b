/** Where the receipts of a pool arrive: in the result, as an event, and on the channel for the whole process. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createPool, type Pool, type Receipt, SandboxUnavailableError } from 'wardenpool';
import { DEFAULT_LIMITS } from '../../src/pool/limits.js';
import { descendants, pidDepth } from '../support/processes.js';
import { limitResource } from '../support/resource-limit.js';
import { gate } from './deferred.js';

describe('pool: receipts', () => {
  let pool: Pool;
  let published: Receipt[];
  const onReceipt = (receipt: unknown): void => void published.push(receipt as Receipt);

  beforeEach(async () => {
    published = [];
    pool = await createPool({ threads: 1, warm: { min: 0, max: 0 } });
    subscribe('wardenpool.receipt', onReceipt);
  });
  afterEach(async () => {
    unsubscribe('wardenpool.receipt', onReceipt);
    await pool.close();
  });

  it('are published on the channel, the very ones that results and listeners have', async () => {
    const listened: Receipt[] = [];
    pool.on('receipt', (receipt) => listened.push(receipt));
    const runs = [await pool.run('return 1'), await pool.run('throw 1')];
    assert.deepEqual(
      published,
      runs.map(({ receipt }) => receipt),
    );
    assert.equal(published[0], runs[0]?.receipt);
    assert.equal(published[0], listened[0]);
  });

  it('are published without anybody having to touch the pool', async () => {
    await pool.run('return 1', {}, { labels: { tenant: 'a' } });
    assert.deepEqual(published[0]?.labels, { tenant: 'a' });
  });

  it('are published of runs that were rejected, when their sandboxes are over', async () => {
    const { tool, entered } = gate();
    const abort = new AbortController();
    const arrived = once(pool, 'receipt');
    const run = pool.run('await tools.t()', { t: tool }, { signal: abort.signal });
    await entered;
    abort.abort();
    await assert.rejects(run, { name: 'AbortError' });
    await arrived;
    assert.equal(published[0]?.stop.reason, 'cancelled');
  });

  it('say what enforces each limit that the runner is told, and name no other', async () => {
    const { receipt } = await pool.run('return 1', {}, { limits: { timeoutMs: 1_000 } });
    assert.deepEqual(receipt.limits, { ...DEFAULT_LIMITS, timeoutMs: 1_000 });
    const { maxFrameBytes: _frame, maxCodeBytes: _code, ...told } = receipt.limits;
    assert.deepEqual(
      receipt.limitedBy,
      Object.fromEntries(Object.keys(told).map((name) => [name, 'engine'])),
    );
  });

  it('of a sandbox that could not be spawned have the step and its error', async () => {
    assert.ok((await pool.run('return 1')).ok);
    const depth = pidDepth(process.pid) + 1;
    for (const launcher of descendants(process.pid).filter((pid) => pidDepth(pid) === depth))
      limitResource(launcher, '--nproc=0:0');
    await assert.rejects(pool.run('return 1', {}, { executionId: 'refused' }), (error) => {
      assert.ok(error instanceof SandboxUnavailableError, String(error));
      assert.match(error.message, /EAGAIN/);
      return true;
    });
    const receipt = published.at(-1);
    assert.equal(receipt?.executionId, 'refused');
    assert.equal(receipt.state, 'unavailable');
    assert.equal(receipt.outcome.kind, 'spawn-failed');
    assert.ok((receipt.outcome.step ?? 0) > 0);
    assert.match(receipt.codeDigest ?? '', /^[0-9a-f]{64}$/);
  });
});
