/**
 * OpenTelemetry: the spans of a run, where the application has `@opentelemetry/api` and has registered a provider.
 *
 *   wardenpool.run ─┬─ wardenpool.queue       until it gets its slot
 *                   ├─ wardenpool.spawn       until its sandbox is there
 *                   └─ wardenpool.tool_call   one for each
 *
 * The parent is what is active where run() was called. Must not know how a run is made. Without the API, and without a
 * provider, there is nothing but the question whether there is one. What a provider throws is no matter of the run.
 */
import { createRequire } from 'node:module';
import type * as OpenTelemetry from '@opentelemetry/api';
import { recorded } from './recording.js';
import type { ToolCallRecord } from './run-result.js';

type Api = typeof OpenTelemetry;

/** What is known of a run when it comes. */
export interface TracedRun {
  executionId: string;
  key: string | undefined;
  labels: Readonly<Record<string, string>>;
}

/** How it ended. */
export interface TracedEnd {
  /** A value of the label `outcome` of the metrics. */
  outcome: string;
  /** What went wrong; absent: nothing. */
  message?: string;
}

/** null: there is no API. It is looked for once: whoever wants traces has it from the start. */
let found: Api | null | undefined;

function api(): Api | null {
  if (found === undefined) {
    try {
      found = createRequire(import.meta.url)('@opentelemetry/api') as Api;
    } catch {
      found = null;
    }
  }
  return found;
}

export class RunTrace {
  readonly #api: Api;
  readonly #tracer: OpenTelemetry.Tracer;
  readonly #span: OpenTelemetry.Span;
  readonly #context: OpenTelemetry.Context;
  readonly #queue: OpenTelemetry.Span;

  /** Undefined where nobody records it. */
  static begin(run: TracedRun): RunTrace | undefined {
    const available = api();
    if (available === null) return undefined;
    return recorded('a span', () => {
      const tracer = available.trace.getTracer('wardenpool');
      const span = tracer.startSpan('wardenpool.run', { attributes: attributesOf(run) });
      return span.isRecording() ? new RunTrace(available, tracer, span) : undefined;
    });
  }

  private constructor(available: Api, tracer: OpenTelemetry.Tracer, span: OpenTelemetry.Span) {
    this.#api = available;
    this.#tracer = tracer;
    this.#span = span;
    this.#context = available.trace.setSpan(available.context.active(), span);
    this.#queue = this.#child('wardenpool.queue');
  }

  /** 32 hexadecimal digits. */
  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  /** It has its slot. */
  started(): void {
    recorded('a span', () => this.#queue.end());
  }

  /** It got a sandbox, `spawnMs` after `askedAt`, which is a time as `Date.now()` has it. */
  spawned(askedAt: number, spawnMs: number, source: 'warm' | 'cold'): void {
    const attributes = { 'wardenpool.sandbox.source': source };
    recorded('a span', () =>
      this.#child('wardenpool.spawn', { startTime: askedAt, attributes }).end(askedAt + spawnMs),
    );
  }

  /** Undefined where it cannot be recorded. */
  toolCall(id: number, name: string): CallTrace | undefined {
    const attributes = { 'wardenpool.tool.name': name, 'wardenpool.tool.call_id': id };
    const span = recorded('a span', () => this.#child('wardenpool.tool_call', { attributes }));
    return span === undefined ? undefined : new CallTrace(this.#api, span);
  }

  /** At most once has an effect. */
  over({ outcome, message }: TracedEnd): void {
    recorded('a span', () => {
      this.#queue.end();
      this.#span.setAttribute('wardenpool.outcome', outcome);
      if (message !== undefined) this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message });
      this.#span.end();
    });
  }

  #child(name: string, options?: OpenTelemetry.SpanOptions): OpenTelemetry.Span {
    return this.#tracer.startSpan(name, options, this.#context);
  }
}

export class CallTrace {
  readonly #api: Api;
  readonly #span: OpenTelemetry.Span;

  constructor(available: Api, span: OpenTelemetry.Span) {
    this.#api = available;
    this.#span = span;
  }

  /** Runs what belongs to the call: spans that it begins are children of the call's. */
  run<T>(work: () => T): T {
    const { context, trace } = this.#api;
    return context.with(trace.setSpan(context.active(), this.#span), work);
  }

  over({ outcome, error }: ToolCallRecord): void {
    recorded('a span', () => {
      this.#span.setAttribute('wardenpool.tool.outcome', outcome);
      if (outcome !== 'ok') this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
      if (error instanceof Error) this.#span.recordException(error);
      this.#span.end();
    });
  }
}

function attributesOf({ executionId, key, labels }: TracedRun): OpenTelemetry.Attributes {
  const attributes: OpenTelemetry.Attributes = { 'wardenpool.execution_id': executionId };
  if (key !== undefined) attributes['wardenpool.key'] = key;
  for (const [name, value] of Object.entries(labels)) attributes[`wardenpool.label.${name}`] = value;
  return attributes;
}
