import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createPool, type Pool, PoolClosedError } from 'wardenpool';
import { deferred, gate } from './deferred.js';

const INDEX = import.meta.resolve('wardenpool');

/** Runs a module that has `createPool` in a Node process of its own. Rejects if that does not end by itself with 0. */
async function inOwnProcess(body: string): Promise<string> {
  const source = `import { createPool } from '${INDEX}';\n${body}`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], {
    timeout: 30_000,
  });
  return stdout;
}

describe('pool: its life', () => {
  const pools: Pool[] = [];
  const make = async (options = {}): Promise<Pool> => {
    const pool = await createPool({ threads: 1, warm: { min: 0, max: 1 }, ...options });
    pools.push(pool);
    return pool;
  };
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.destroy()));
  });

  it('finishes running and queued runs in close()', async () => {
    const pool = await make({ concurrency: 1 });
    const runs = [pool.run('return 1'), pool.run('return 2')];
    await pool.close();
    assert.deepEqual(
      (await Promise.all(runs)).map((run) => run.ok && run.value),
      [1, 2],
    );
  });

  it('takes no runs once close() was called', async () => {
    const pool = await make();
    const closing = pool.close();
    await assert.rejects(
      pool.run('return 1'),
      (error) => error instanceof PoolClosedError && !error.retryable,
    );
    await closing;
    await assert.rejects(pool.run('return 1'), { code: 'POOL_CLOSED' });
  });

  it('closes once, however often it is asked', async () => {
    const pool = await make();
    await Promise.all([pool.close(), pool.close(), pool.destroy(), pool[Symbol.asyncDispose]()]);
    await pool.close();
    await pool.destroy();
    assert.equal(pool.stats.threads, 0);
  });

  it('destroys what does not end within timeoutMs', async () => {
    const pool = await make({ concurrency: 1 });
    const { tool, entered } = gate();
    const running = pool.run('await tools.t()', { t: tool });
    const queued = pool.run('return 1');
    const rejections = Promise.all([
      assert.rejects(running, (error) => {
        assert.ok(error instanceof PoolClosedError);
        assert.equal(error.retryable, false);
        assert.equal(error.toolCalls[0]?.outcome, 'abandoned');
        return true;
      }),
      assert.rejects(queued, (error) => error instanceof PoolClosedError && error.retryable),
    ]);
    await entered;
    await pool.close({ timeoutMs: 20 });
    await rejections;
  });

  it('rejects queued and running runs in destroy(), and tells of the receipts', async () => {
    const pool = await make({ concurrency: 2 });
    const { tool, entered } = gate(2);
    const receipts: string[] = [];
    pool.on('receipt', ({ executionId }) => receipts.push(executionId));
    const runs = ['a', 'b', 'c'].map((executionId) =>
      pool.run('await tools.t()', { t: tool }, { executionId }),
    );
    const rejections = Promise.all(runs.map((run) => assert.rejects(run, { code: 'POOL_CLOSED' })));
    await entered;
    await pool.destroy();
    await rejections;
    assert.deepEqual(receipts.sort(), ['a', 'b']);
    assert.equal(pool.stats.running, 0);
    assert.equal(pool.stats.queued, 0);
  });

  it('drains when nothing is queued and nothing runs', async () => {
    const pool = await make({ concurrency: 1 });
    await pool.drain();
    const { tool, entered, release } = gate();
    const runs = [pool.run('await tools.t()', { t: tool }), pool.run('return 1')];
    let drained = false;
    const draining = pool.drain().then(() => {
      drained = true;
    });
    await entered;
    assert.equal(drained, false);
    release();
    await Promise.all(runs);
    await draining;
    assert.equal(pool.stats.running, 0);
  });

  it('is an AsyncDisposable', async () => {
    const pool = await make();
    await pool[Symbol.asyncDispose]();
    await assert.rejects(pool.run('1'), { code: 'POOL_CLOSED' });
  });

  it('survives listeners that throw or reject', async () => {
    const pool = await make();
    const warnings: string[] = [];
    const twice = deferred();
    pool.on('receipt', () => {
      throw new Error('sync');
    });
    pool.on('receipt', async () => {
      throw new Error('async');
    });
    pool.on('warning', ({ code }) => {
      if (warnings.push(code) === 2) twice.resolve();
      throw new Error('and this');
    });
    assert.ok((await pool.run('return 1')).ok);
    assert.ok((await pool.run('return 1')).ok);
    await twice.promise;
    assert.ok(warnings.every((code) => code === 'LISTENER_FAILED'));
  });

  it('does not keep Node alive while it is idle', async () => {
    const stdout = await inOwnProcess(`
      const pool = await createPool({ threads: 2 });
      const run = await pool.run('return 1');
      console.log(run.value);`);
    assert.equal(stdout, '1\n');
  });

  it('keeps Node alive while something runs', async () => {
    const stdout = await inOwnProcess(`
      const pool = await createPool({ threads: 1 });
      pool.run('for (let until = Date.now() + 200; Date.now() < until;); return 2').then(({ value }) => console.log(value));`);
    assert.equal(stdout, '2\n');
  });

  it('lets Node exit after close(), whatever limit the runs had', async () => {
    const stdout = await inOwnProcess(`
      const pool = await createPool({ threads: 1 });
      await pool.run('return 1', {}, { limits: { timeoutMs: 60_000 } });
      const before = performance.now();
      await pool.close();
      console.log(performance.now() - before < 5_000);`);
    assert.equal(stdout, 'true\n');
  });
});
