/** Exemplars: the histograms of a registry that speaks OpenMetrics name the trace of a run. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type OpenMetricsContentType, Registry, type RegistryContentType } from 'prom-client';
import { createPool } from '../../src/index.js';

function openMetrics(): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

describe('pool: exemplars', () => {
  before(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const spanProcessors = [new SimpleSpanProcessor(new InMemorySpanExporter())];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  });
  after(() => {
    // Of the whole process, in which other tests have no traces.
    trace.disable();
    context.disable();
  });

  /** What /metrics answers after one traced run, and the trace of that run. */
  async function scrape(registry: Registry<RegistryContentType>) {
    const pool = await createPool({ threads: 1, registry });
    try {
      const { traceId } = (await pool.run('return 1')).receipt;
      assert.ok(traceId);
      const { port } = (await pool.metricsServer()).address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      return { type: response.headers.get('content-type'), text: await response.text(), traceId };
    } finally {
      await pool.close();
    }
  }

  it('are on the durations of runs and of spawns, and on nothing else, in OpenMetrics', async () => {
    const { type, text, traceId } = await scrape(openMetrics());
    assert.equal(type, Registry.OPENMETRICS_CONTENT_TYPE);
    assert.match(text, /\n# EOF\n$/);
    const withExemplar = text.split('\n').filter((line) => line.includes(' # {'));
    assert.deepEqual(
      withExemplar.map((line) => line.split('_bucket{')[0]),
      ['wardenpool_spawn_latency_seconds', 'wardenpool_execution_duration_seconds'],
    );
    for (const line of withExemplar)
      assert.match(line, new RegExp(`# {trace_id="${traceId}"} [0-9.]+ [0-9.]+$`));
  });

  it('are left out of the text format', async () => {
    const { type, text, traceId } = await scrape(new Registry());
    assert.equal(type, Registry.PROMETHEUS_CONTENT_TYPE);
    assert.ok(!text.includes(traceId));
  });

  it('are none where no trace records the run', async () => {
    trace.disable();
    const pool = await createPool({
      threads: 1,
      registry: openMetrics(),
    });
    await pool.run('return 1');
    const text = await pool.registry.metrics();
    await pool.close();
    assert.doesNotMatch(text, / # {/);
    assert.match(text, /^wardenpool_executions_total{outcome="ok"} 1$/m);
  });
});
