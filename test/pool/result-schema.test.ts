import assert from 'node:assert/strict';
import { createPool, type Pool } from 'wardenpool';
import { z } from 'zod';
import { deferred } from './deferred.js';

describe('pool: resultSchema', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  it('gives its own output as the value', async () => {
    const resultSchema = z.object({ n: z.number().transform(String), d: z.string().default('x') });
    const run = await pool.run('return { n: 1, extra: 2 }', {}, { resultSchema });
    assert.ok(run.ok);
    assert.deepEqual(run.value, { n: '1', d: 'x' });
  });

  it('fills in the defaults of a JSON Schema', async () => {
    const resultSchema = { type: 'object', properties: { d: { default: [1] } } };
    const run = await pool.run('return {}', {}, { resultSchema });
    assert.deepEqual(run.ok && run.value, { d: [1] });
  });

  it('makes a mismatch a failure of kind result, with path and message', async () => {
    const resultSchema = z.object({ items: z.array(z.object({ total: z.number() })) });
    const run = await pool.run("return { items: [{ total: 1 }, { total: 'x' }] }", {}, { resultSchema });
    assert.ok(!run.ok);
    assert.equal(run.error.kind, 'result');
    assert.equal(run.error.code, 'RESULT_INVALID');
    assert.equal(run.error.path, '$.items[1].total');
    assert.match(run.error.message, /^The result does not fit resultSchema: \$\.items\[1\]\.total: .*number/);
    assert.equal(pool.stats.failed, 1);
  });

  it('checks undefined, which is no object, and may be what is wanted', async () => {
    const run = await pool.run('1', {}, { resultSchema: { type: 'object' } });
    assert.equal(run.ok ? '' : run.error.path, '$');
    assert.ok((await pool.run('const a = 1;', {}, { resultSchema: z.undefined() })).ok);
  });

  it('may be asynchronous', async () => {
    const resultSchema = z.number().refine(async (n) => n > 1, 'too small');
    assert.ok((await pool.run('return 2', {}, { resultSchema })).ok);
    const run = await pool.run('return 1', {}, { resultSchema });
    assert.match(run.ok ? '' : run.error.message, /\$: too small/);
  });

  it('is the host’s failure when it throws: kind internal, and a warning', async () => {
    const error = new Error('secret');
    const warned = deferred<unknown>();
    pool.once('warning', ({ cause }) => warned.resolve(cause));
    const resultSchema = z.unknown().transform(() => {
      throw error;
    });
    const run = await pool.run('return 1', {}, { resultSchema });
    assert.equal(run.ok ? '' : run.error.kind, 'internal');
    assert.doesNotMatch(run.ok ? '' : run.error.message, /secret/);
    assert.equal(await warned.promise, error);
  });

  it('that never settles ends within the time limit of the run', async () => {
    const resultSchema = z.unknown().refine(() => new Promise(() => {}));
    const run = await pool.run('return 1', {}, { resultSchema, limits: { timeoutMs: 200 } });
    assert.equal(run.ok ? '' : run.error.code, 'RESULT_SCHEMA_FAILED');
  });

  it('is not asked about a program that failed', async () => {
    const run = await pool.run(
      'throw 1',
      {},
      { resultSchema: z.unknown().refine(() => assert.fail('asked')) },
    );
    assert.equal(run.ok ? '' : run.error.kind, 'javascript');
  });

  it('can be aborted while it checks', async () => {
    const controller = new AbortController();
    const resultSchema = z.unknown().refine(() => {
      controller.abort();
      return new Promise(() => {});
    });
    await assert.rejects(
      pool.run('return 1', {}, { resultSchema, signal: controller.signal, limits: { timeoutMs: 300 } }),
      {
        name: 'AbortError',
      },
    );
    await pool.drain();
  });
});
