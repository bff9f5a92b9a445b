/** The option processMetrics: what prom-client tells of the process, beside what a pool tells of itself. */
import assert from 'node:assert/strict';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createPool } from 'wardenpool';
import { addProcessMetrics } from '../../src/pool/metrics.js';
import { readPoolOptions } from '../../src/pool/pool-options.js';

const PROCESS_METRICS = ['process_cpu_seconds_total', 'process_open_fds', 'nodejs_eventloop_lag_p99_seconds'];

describe('pool: processMetrics', () => {
  it('adds them to the registry, once for several pools', async () => {
    const registry = new Registry();
    const pools = await Promise.all(
      [1, 2].map(() => createPool({ threads: 1, registry, processMetrics: true })),
    );
    const text = await registry.metrics();
    await Promise.all(pools.map((pool) => pool.close()));
    for (const name of PROCESS_METRICS) {
      assert.equal(text.match(new RegExp(`^${name} `, 'gm'))?.length, 1, name);
    }
  });

  it('leaves those alone that the application has added itself', async () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const before = registry.getMetricsAsArray().length;
    addProcessMetrics(registry);
    assert.equal(registry.getMetricsAsArray().length, before);
  });

  it('is off by default', () => {
    assert.equal(readPoolOptions({}).processMetrics, false);
  });
});
