/** The spans of runs, recorded by the OpenTelemetry SDK as an application has it. */
import assert from 'node:assert/strict';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createPool, type Pool } from 'wardenpool';
import { gate } from './deferred.js';

describe('pool: traces', () => {
  const exporter = new InMemorySpanExporter();
  const tracer = () => trace.getTracer('test');
  let pool: Pool;
  before(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    pool = await createPool({ threads: 1, concurrency: 1 });
  });
  beforeEach(() => exporter.reset());
  after(async () => {
    await pool.close();
    // Of the whole process, in which other tests have no traces.
    trace.disable();
    context.disable();
  });

  function named(name: string): ReadableSpan {
    return exporter.getFinishedSpans().find((span) => span.name === name) ?? assert.fail(`no span ${name}`);
  }

  const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId;

  it('records run, queue, sandbox and tool calls, below the span of the caller', async () => {
    const tools = { double: ({ value }: { value: number }) => ({ value: value * 2 }) };
    const { result, caller } = await tracer().startActiveSpan('caller', async (span) => {
      const code = 'return (await tools.double({ value: 21 })).value';
      const run = await pool.run(code, tools, { key: 'acme', labels: { job: '7' } });
      span.end();
      return { result: run, caller: span.spanContext() };
    });
    assert.ok(result.ok);
    const run = named('wardenpool.run');
    assert.equal(run.spanContext().traceId, caller.traceId);
    assert.equal(parentOf(run), caller.spanId);
    assert.equal(result.receipt.traceId, caller.traceId);
    assert.equal(run.attributes['wardenpool.execution_id'], result.executionId);
    assert.equal(run.attributes['wardenpool.key'], 'acme');
    assert.equal(run.attributes['wardenpool.label.job'], '7');
    assert.equal(run.attributes['wardenpool.outcome'], 'ok');
    for (const name of ['wardenpool.queue', 'wardenpool.spawn', 'wardenpool.tool_call'])
      assert.equal(parentOf(named(name)), run.spanContext().spanId, name);
    assert.match(String(named('wardenpool.spawn').attributes['wardenpool.sandbox.source']), /^(warm|cold)$/);
    const call = named('wardenpool.tool_call');
    assert.equal(call.attributes['wardenpool.tool.name'], 'double');
    assert.equal(call.attributes['wardenpool.tool.outcome'], 'ok');
  });

  it('makes what a handler records a child of its call, also after it has waited', async () => {
    const tools = {
      slow: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        tracer().startSpan('inner').end();
        return null;
      },
    };
    assert.ok((await pool.run('await tools.slow({})', tools)).ok);
    assert.equal(parentOf(named('inner')), named('wardenpool.tool_call').spanContext().spanId);
  });

  it('marks what failed: the run, the call, with the error that the host had', async () => {
    const tools = {
      fail: () => {
        throw new TypeError('only for the host');
      },
    };
    assert.ok(!(await pool.run('await tools.fail({})', tools)).ok);
    const run = named('wardenpool.run');
    assert.equal(run.status.code, SpanStatusCode.ERROR);
    assert.equal(run.attributes['wardenpool.outcome'], 'javascript');
    const call = named('wardenpool.tool_call');
    assert.equal(call.status.code, SpanStatusCode.ERROR);
    assert.equal(call.events[0]?.attributes?.['exception.message'], 'only for the host');
  });

  it('ends the spans of a run that is aborted, waiting or running', async () => {
    const { tool, entered, release } = gate();
    const controllers = [new AbortController(), new AbortController()];
    const runs = controllers.map(({ signal }) => pool.run('await tools.t()', { t: tool }, { signal }));
    const settled = Promise.allSettled(runs);
    await entered;
    for (const controller of controllers) controller.abort();
    await settled;
    release();
    await pool.drain();
    const ended = exporter.getFinishedSpans().filter(({ name }) => name === 'wardenpool.run');
    assert.deepEqual(
      ended.map(({ attributes }) => attributes['wardenpool.outcome']),
      ['aborted', 'aborted'],
    );
    const queues = exporter.getFinishedSpans().filter(({ name }) => name === 'wardenpool.queue');
    assert.equal(queues.length, 2);
  });

  for (const step of ['onStart', 'onEnd'] as const) {
    it(`has a run go on whose spans cannot be recorded, because ${step} of a processor throws`, async () => {
      trace.disable();
      const broken = new SimpleSpanProcessor(new InMemorySpanExporter());
      broken[step] = () => {
        throw new Error('broken');
      };
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [broken] }));
      for (const expected of [1, 2]) {
        const run = await pool.run(`return tools.t()`, { t: () => expected });
        assert.equal(run.ok && run.value, expected);
      }
      const signal = AbortSignal.timeout(50);
      await assert.rejects(pool.run('await tools.t()', { t: () => new Promise(() => {}) }, { signal }), {
        name: 'AbortError',
      });
    });
  }

  it('records nothing, and has no trace in its receipt, where the application samples nothing', async () => {
    trace.disable();
    const run = await pool.run('return 1');
    assert.ok(run.ok);
    assert.equal(run.receipt.traceId, undefined);
    assert.equal(exporter.getFinishedSpans().length, 0);
  });
});
