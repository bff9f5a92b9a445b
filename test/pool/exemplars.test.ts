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
import { createPool } from 'wardenpool';
import { metricsOn } from '../../src/pool/metrics.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

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

  it('are on the durations of runs and of spawns, and on nothing else, in OpenMetrics', async () => {
    const pool = await createPool({ threads: 1, registry: openMetrics() });
    const { traceId } = (await pool.run('return 1')).receipt;
    assert.ok(traceId);
    const { port } = (await pool.metricsServer()).address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    const text = await response.text();
    await pool.close();
    assert.equal(response.headers.get('content-type'), Registry.OPENMETRICS_CONTENT_TYPE);
    assert.match(text, /\n# EOF\n$/);
    const withExemplar = text.split('\n').filter((line) => line.includes(' # {'));
    assert.deepEqual(
      withExemplar.map((line) => line.split('_bucket{')[0]),
      ['wardenpool_spawn_latency_seconds', 'wardenpool_execution_duration_seconds'],
    );
    const named = new RegExp(`# {trace_id="${traceId}"} [0-9.]+ [0-9.]+$`);
    for (const line of withExemplar) assert.match(line, named);
  });

  it('are left out of the text format', async () => {
    const registry = new Registry();
    metricsOn(registry).runOver('ok', 1, TRACE_ID);
    const text = await registry.metrics();
    assert.match(text, /^wardenpool_execution_duration_seconds_count{outcome="ok"} 1$/m);
    assert.ok(!text.includes(TRACE_ID));
  });

  it('are none where no trace records the run', async () => {
    const registry = openMetrics() as Registry<RegistryContentType> as Registry;
    metricsOn(registry).runOver('ok', 1);
    const text = await registry.metrics();
    assert.match(text, /^wardenpool_execution_duration_seconds_count{outcome="ok"} 1$/m);
    assert.doesNotMatch(text, / # {/);
  });
});
