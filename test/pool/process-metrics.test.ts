/** The option processMetrics: what prom-client tells of the process, beside what a pool tells of itself. */
import assert from 'node:assert/strict';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createPool } from '../../src/index.js';

const PROCESS_METRICS = ['process_cpu_seconds_total', 'process_open_fds', 'nodejs_eventloop_lag_p99_seconds'];

describe('pool: processMetrics', () => {
  it('adds them to the registry', async () => {
    const pool = await createPool({ threads: 1, processMetrics: true });
    const text = await pool.registry.metrics();
    await pool.close();
    for (const name of PROCESS_METRICS) assert.match(text, new RegExp(`^${name} `, 'm'));
  });

  it('is off by default', async () => {
    const pool = await createPool({ threads: 1 });
    const text = await pool.registry.metrics();
    await pool.close();
    assert.doesNotMatch(text, /^(process|nodejs)_/m);
  });

  it('adds them once to a registry of several pools, or of an application that has them', async () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const pools = await Promise.all(
      [1, 2].map(() => createPool({ threads: 1, registry, processMetrics: true })),
    );
    const text = await registry.metrics();
    await Promise.all(pools.map((pool) => pool.close()));
    assert.equal(text.match(/^process_open_fds /gm)?.length, 1);
  });
});
