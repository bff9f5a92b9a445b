import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { createPool, InvalidOptionError } from 'wardenpool';
import { gate } from './deferred.js';

const NAMES = [
  'spawn_latency_seconds',
  'queue_wait_seconds',
  'execution_duration_seconds',
  'executions_started_total',
  'executions_total',
  'graceful_stops_total',
  'forced_stops_total',
  'containment_failures_total',
  'tool_calls_total',
  'tool_call_duration_seconds',
  'executions_queued',
  'executions_running',
  'sandboxes_warm',
  'relay_bytes_total',
  'launcher_restarts_total',
  'worker_restarts_total',
  'violations_total',
];

/** The value of one line of the text format. */
function sample(text: string, line: string): number | undefined {
  const found = text.split('\n').find((candidate) => candidate.startsWith(`wardenpool_${line} `));
  return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')));
}

describe('pool: metrics', () => {
  it('has every metric, and counts runs, calls, bytes and stops', async () => {
    const pool = await createPool({ threads: 1 });
    try {
      await pool.run('return await tools.a()', { a: () => 1 });
      await pool.run('await tools.a()', { a: () => Promise.reject(new Error('x')) });
      const text = await pool.registry.metrics();
      for (const name of NAMES) assert.match(text, new RegExp(`^# TYPE wardenpool_${name} `, 'm'));
      assert.equal(sample(text, 'executions_started_total'), 2);
      assert.equal(sample(text, 'executions_total{outcome="ok"}'), 1);
      assert.equal(sample(text, 'executions_total{outcome="javascript"}'), 1);
      assert.equal(sample(text, 'tool_calls_total{outcome="ok"}'), 1);
      assert.equal(sample(text, 'tool_calls_total{outcome="failed"}'), 1);
      assert.equal(sample(text, 'queue_wait_seconds_count'), 2);
      assert.equal(sample(text, 'execution_duration_seconds_count{outcome="ok"}'), 1);
      assert.ok((sample(text, 'relay_bytes_total{direction="in"}') ?? 0) > 500);
      assert.ok((sample(text, 'relay_bytes_total{direction="out"}') ?? 0) > 500);
      assert.match(text, /spawn_latency_seconds_count\{backend="namespaces",source="(warm|cold)"\}/);
    } finally {
      await pool.close();
    }
  });

  it('shows what is queued and running now', async () => {
    const pool = await createPool({ threads: 1, concurrency: 1 });
    try {
      const { tool, entered, release } = gate();
      const runs = [pool.run('await tools.t()', { t: tool }), pool.run('return 1')];
      await entered;
      const text = await pool.registry.metrics();
      assert.equal(sample(text, 'executions_running'), 1);
      assert.equal(sample(text, 'executions_queued'), 1);
      release();
      await Promise.all(runs);
    } finally {
      await pool.close();
    }
  });

  it('counts an abort and its stop', async () => {
    const pool = await createPool({ threads: 1 });
    try {
      const { tool, entered } = gate();
      const controller = new AbortController();
      const run = pool.run('await tools.t()', { t: tool }, { signal: controller.signal });
      await entered;
      controller.abort();
      await assert.rejects(run);
      await pool.drain();
      const text = await pool.registry.metrics();
      assert.equal(sample(text, 'executions_total{outcome="aborted"}'), 1);
      assert.equal(sample(text, 'graceful_stops_total'), 1);
      assert.equal(sample(text, 'tool_calls_total{outcome="abandoned"}'), 1);
    } finally {
      await pool.close();
    }
  });

  it('has every series of a closed list at 0 from the start', async () => {
    const pool = await createPool({ threads: 1 });
    try {
      const text = await pool.registry.metrics();
      const series = {
        'executions_total{outcome}':
          'ok cancelled timeout javascript memory result result_limit limit internal violation crashed ' +
          'aborted closed lost unavailable queue_full queue_timeout',
        'forced_stops_total{reason}': 'deadline cancelled closed violation overflow unknown',
        'tool_calls_total{outcome}': 'ok failed denied timeout invalid abandoned',
        'relay_bytes_total{direction}': 'in out',
      };
      for (const [name, values] of Object.entries(series)) {
        for (const value of values.split(' ')) {
          const line = name.replace('}', `="${value}"}`);
          assert.equal(sample(text, line), 0, line);
        }
      }
    } finally {
      await pool.close();
    }
  });

  it('counts the runs that never got a slot, as stats does', async () => {
    const pool = await createPool({ threads: 1, concurrency: 1, maxQueue: 1, queueTimeoutMs: 30 });
    const { tool, entered } = gate();
    const running = assert.rejects(pool.run('await tools.t()', { t: tool }), { code: 'POOL_CLOSED' });
    await entered;
    const late = assert.rejects(pool.run('1'), { code: 'QUEUE_TIMEOUT' });
    await assert.rejects(pool.run('1'), { code: 'QUEUE_FULL' });
    await assert.rejects(pool.run('1', {}, { signal: AbortSignal.abort() }), { code: 'ABORT_ERR' });
    await late;
    const controller = new AbortController();
    const aborted = assert.rejects(pool.run('1', {}, { signal: controller.signal }), { code: 'ABORT_ERR' });
    controller.abort();
    await aborted;
    const queued = assert.rejects(pool.run('1'), { code: 'POOL_CLOSED' });
    await pool.destroy();
    await Promise.all([running, queued]);
    const text = await pool.registry.metrics();
    const counted = (outcome: string) => sample(text, `executions_total{outcome="${outcome}"}`);
    assert.deepEqual(
      ['queue_timeout', 'queue_full', 'aborted', 'closed', 'unavailable'].map(counted),
      [1, 1, 2, 2, 0],
    );
    assert.equal(sample(text, 'executions_started_total'), 6);
    assert.equal(pool.stats.aborted, 2);
    assert.equal(pool.stats.rejected, 4);
  });

  it('adds up the pools on one registry', async () => {
    const registry = new Registry();
    const pools = await Promise.all([1, 2].map(() => createPool({ threads: 1, registry })));
    try {
      await Promise.all(pools.map((pool) => pool.run('return 1')));
      const text = await registry.metrics();
      assert.equal(sample(text, 'executions_total{outcome="ok"}'), 2);
    } finally {
      await Promise.all(pools.map((pool) => pool.close()));
    }
    assert.equal(sample(await registry.metrics(), 'sandboxes_warm'), 0);
  });

  it('serves /metrics, /healthz and /readyz until the pool is closed', async () => {
    const pool = await createPool({ threads: 1 });
    const server = await pool.metricsServer();
    const { port, address } = server.address() as AddressInfo;
    assert.equal(address, '127.0.0.1');
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    assert.match(await (await get('/metrics')).text(), /wardenpool_executions_running 0/);
    assert.equal((await get('/healthz')).status, 200);
    assert.equal((await get('/readyz')).status, 200);
    assert.equal((await get('/other')).status, 404);
    const closed = once(server, 'close');
    await pool.close();
    await closed;
    await assert.rejects(pool.metricsServer(), { code: 'POOL_CLOSED' });
  });

  it('says on which address it cannot listen, and why', async () => {
    const pool = await createPool({ threads: 1 });
    try {
      const { port } = (await pool.metricsServer()).address() as AddressInfo;
      await assert.rejects(pool.metricsServer({ port }), (error) => {
        assert.ok(error instanceof InvalidOptionError);
        assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}: .*EADDRINUSE.*; give another port`));
        assert.equal((error.cause as NodeJS.ErrnoException).code, 'EADDRINUSE');
        return true;
      });
      // An address of documentation (RFC 5737): no machine has it.
      await assert.rejects(
        pool.metricsServer({ host: '192.0.2.1' }),
        /192\.0\.2\.1:0: .*address of an interface/,
      );
    } finally {
      await pool.close();
    }
  });

  it('suggests host for hostname', async () => {
    const pool = await createPool({ threads: 1 });
    try {
      const options = { hostname: 'localhost' } as object;
      await assert.rejects(pool.metricsServer(options), /no option "hostname": did you mean host\?/);
    } finally {
      await pool.close();
    }
  });
});
