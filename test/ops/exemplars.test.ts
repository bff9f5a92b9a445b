/** A real Prometheus scrapes a pool whose registry speaks OpenMetrics, and keeps the trace of its run. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { type OpenMetricsContentType, Registry } from 'prom-client';
import { createPool, type Pool } from 'wardenpool';
import { eventually } from './eventually.js';
import { Prometheus } from './prometheus.js';

interface Exemplars {
  seriesLabels: Record<string, string>;
  exemplars: { labels: Record<string, string> }[];
}

describe('ops: exemplars, scraped by Prometheus', function () {
  this.timeout(120_000);
  let pool: Pool;
  let prometheus: Prometheus;
  before(async () => {
    trace.setGlobalTracerProvider(new BasicTracerProvider());
    const registry = new Registry<OpenMetricsContentType>();
    registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    pool = await createPool({ threads: 1, registry, processMetrics: true });
    const { port } = (await pool.metricsServer()).address() as AddressInfo;
    prometheus = await Prometheus.start([`127.0.0.1:${port}`]);
  });
  after(async () => {
    // Of the whole process, in which other tests have no traces.
    trace.disable();
    await prometheus?.stop();
    await pool?.close();
  });

  it('lead from a histogram to the trace of a run', async () => {
    const { traceId } = (await pool.run('return 1')).receipt;
    assert.ok(traceId);
    const kept = async () => {
      const now = Date.now() / 1000;
      const found = (await prometheus.get('query_exemplars', {
        query: '{__name__=~"wardenpool_.*_bucket"}',
        start: String(now - 600),
        end: String(now + 600),
      })) as Exemplars[];
      return found
        .map(({ seriesLabels, exemplars }) => [seriesLabels['__name__'], exemplars[0]?.labels['trace_id']])
        .sort();
    };
    await eventually(kept, [
      ['wardenpool_execution_duration_seconds_bucket', traceId],
      ['wardenpool_spawn_latency_seconds_bucket', traceId],
    ]);
    // The counters have the same names as in the text format.
    await eventually(() => prometheus.values('wardenpool_executions_total > 0', 'outcome'), { ok: 1 });
  });
});
