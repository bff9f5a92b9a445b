/**
 * The metrics of pools, on a prom-client registry. Pools on one registry share them: counters and histograms add up by
 * themselves, gauges ask every pool. Label values come from closed lists, never from programs.
 *
 * What recording costs is measured by `npm run bench:metrics`, and said in docs/operations.md.
 */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type LabelValues,
  Registry,
  type RegistryContentType,
} from 'prom-client';
import type { Receipt, StopReason } from '../executor/receipt.js';
import { recorded } from './recording.js';
import type { RunErrorKind, ToolCallOutcome } from './run-result.js';

/**
 * `ok`, the kind of the program's error, or why the run was given up. `queue_full` and `queue_timeout` are of runs that
 * never got a slot; `aborted` and `closed` may be.
 */
export type ExecutionOutcome =
  | 'ok'
  | RunErrorKind
  | 'aborted'
  | 'closed'
  | 'lost'
  | 'unavailable'
  | 'queue_full'
  | 'queue_timeout';

const EXECUTION_OUTCOMES = everyOneOf<ExecutionOutcome>({
  ok: true,
  cancelled: true,
  timeout: true,
  javascript: true,
  memory: true,
  result: true,
  result_limit: true,
  limit: true,
  internal: true,
  violation: true,
  crashed: true,
  aborted: true,
  closed: true,
  lost: true,
  unavailable: true,
  queue_full: true,
  queue_timeout: true,
});

const FORCED_STOP_REASONS = everyOneOf<StopReason | 'unknown'>({
  deadline: true,
  cancelled: true,
  closed: true,
  violation: true,
  overflow: true,
  unknown: true,
});

const TOOL_CALL_OUTCOMES = everyOneOf<ToolCallOutcome>({
  ok: true,
  failed: true,
  denied: true,
  timeout: true,
  invalid: true,
  abandoned: true,
});

/** `in`: to sandboxes; `out`: from them. */
const DIRECTIONS = everyOneOf<'in' | 'out'>({ in: true, out: true });

/** The values of a closed list; one that is missing does not compile. */
function everyOneOf<V extends string>(values: Record<V, true>): readonly V[] {
  return Object.keys(values) as V[];
}

/** Inherits nothing. With objects that Object.create(null) makes, recording a run takes 1.5 µs more (npm run bench:metrics). */
class Labels {}
Object.setPrototypeOf(Labels.prototype, null);

/**
 * Without what every object inherits: prom-client takes that for labels, too, and throws for one that it does not know, although an
 * application may have put it on Object.prototype.
 */
function bare<L extends string>(labels: Partial<Record<L, string>>): LabelValues<L> {
  return Object.assign(new Labels(), labels);
}

/** Said where there are none: prom-client's own object for that has a prototype. */
const NO_LABELS = bare<never>({});

/** What a pool shows at the moment it is asked. */
export interface GaugeReadings {
  queued: number;
  running: number;
  warm: number;
}

/** 100 µs to 60 s. */
const BUCKETS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

const ofRegistry = new WeakMap<Registry, Metrics>();

/** The metrics on `registry`, made at the first call. */
export function metricsOn(registry: Registry): Metrics {
  let metrics = ofRegistry.get(registry);
  if (metrics === undefined) {
    metrics = new Metrics(registry);
    ofRegistry.set(registry, metrics);
  }
  return metrics;
}

/**
 * Adds what prom-client tells of any process, unless it is there already: from another pool on this registry, or from the
 * application itself.
 */
export function addProcessMetrics(registry: Registry): void {
  if (registry.getSingleMetric('process_start_time_seconds') === undefined) {
    collectDefaultMetrics({ register: registry });
  }
}

export class Metrics {
  readonly #registry: Registry;
  /** prom-client refuses them on a registry that does not speak OpenMetrics. */
  readonly #hasExemplars: boolean;
  readonly #sources = new Set<() => GaugeReadings>();
  readonly #spawnLatency: Histogram<'backend' | 'source'>;
  readonly #queueWait: Histogram;
  readonly #duration: Histogram<'outcome'>;
  readonly #started: Counter;
  readonly #executions: Counter<'outcome'>;
  readonly #gracefulStops: Counter;
  readonly #forcedStops: Counter<'reason'>;
  readonly #containmentFailures: Counter;
  readonly #toolCalls: Counter<'outcome'>;
  readonly #toolCallDuration: Histogram;
  readonly #relayBytes: Counter<'direction'>;
  readonly #launcherRestarts: Counter;
  readonly #workerRestarts: Counter;
  readonly #violations: Counter;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#hasExemplars = (registry.contentType as RegistryContentType) === Registry.OPENMETRICS_CONTENT_TYPE;
    this.#spawnLatency = this.#histogram(
      'spawn_latency_seconds',
      'Time until a sandbox was there.',
      ['backend', 'source'],
      { traced: true },
    );
    this.#queueWait = this.#histogram(
      'queue_wait_seconds',
      'Time that runs waited for a slot and their turn to start.',
      [],
    );
    this.#duration = this.#histogram(
      'execution_duration_seconds',
      'From handing a program over to its last word.',
      ['outcome'],
      { traced: true },
    );
    this.#started = this.#counter('executions_started_total', 'Runs that were handed in.', []);
    this.#executions = this.#counterBy(
      'outcome',
      EXECUTION_OUTCOMES,
      'executions_total',
      'Runs that are over, those included that never got a slot.',
    );
    this.#gracefulStops = this.#counter('graceful_stops_total', 'Sandboxes that were asked to end.', []);
    this.#forcedStops = this.#counterBy(
      'reason',
      FORCED_STOP_REASONS,
      'forced_stops_total',
      'Sandboxes that were killed.',
    );
    this.#containmentFailures = this.#counter(
      'containment_failures_total',
      'Sandboxes whose end the kernel did not confirm.',
      [],
    );
    this.#toolCalls = this.#counterBy('outcome', TOOL_CALL_OUTCOMES, 'tool_calls_total', 'Tool calls.');
    this.#toolCallDuration = this.#histogram(
      'tool_call_duration_seconds',
      'From a tool call to its outcome.',
      [],
    );
    this.#relayBytes = this.#counterBy(
      'direction',
      DIRECTIONS,
      'relay_bytes_total',
      'Bytes to and from sandboxes.',
    );
    this.#launcherRestarts = this.#counter('launcher_restarts_total', 'Launchers that ended unasked.', []);
    this.#workerRestarts = this.#counter('worker_restarts_total', 'Worker threads that ended unasked.', []);
    this.#violations = this.#counter(
      'violations_total',
      'Runs that broke the protocol or the allow-list.',
      [],
    );
    this.#gauge('executions_queued', 'Runs that wait for a slot.', 'queued');
    this.#gauge('executions_running', 'Runs that have a slot.', 'running');
    this.#gauge('sandboxes_warm', 'Sandboxes that are ready.', 'warm');
  }

  /** Adds a pool to the gauges. Returns what takes it out again. */
  addSource(source: () => GaugeReadings): () => void {
    this.#sources.add(source);
    return () => this.#sources.delete(source);
  }

  runStarted(): void {
    this.#record(() => this.#started.inc());
  }

  runHasTurn(queueMs: number): void {
    this.#record(() => this.#queueWait.observe(NO_LABELS, queueMs / 1000));
  }

  /** `runMs`: absent for a run that was given up. `traceId`: of the trace that records it. */
  runOver(outcome: ExecutionOutcome, runMs?: number, traceId?: string): void {
    this.#record(() => {
      this.#executions.inc(bare({ outcome }));
      if (outcome === 'violation') this.#violations.inc();
      if (runMs !== undefined) {
        this.#observeTraced(this.#duration, bare({ outcome }), runMs / 1000, traceId);
      }
    });
  }

  sandboxOver({ receipt, source }: { receipt: Receipt; source: 'warm' | 'cold' }): void {
    const { backend, timings, io, stop, traceId } = receipt;
    this.#record(() => {
      const labels = bare({ backend: backend.name, source });
      this.#observeTraced(this.#spawnLatency, labels, timings.spawnMs / 1000, traceId);
      this.#relayBytes.inc(bare({ direction: 'in' }), io.bytesIn);
      this.#relayBytes.inc(bare({ direction: 'out' }), io.bytesOut);
      if (stop.gracefulStopAttempted) this.#gracefulStops.inc();
      if (stop.forcedStopAttempted) this.#forcedStops.inc(bare({ reason: stop.reason ?? 'unknown' }));
      if (!stop.containmentConfirmed) this.#containmentFailures.inc();
    });
  }

  toolCallOver(outcome: ToolCallOutcome, ms: number): void {
    this.#record(() => {
      this.#toolCalls.inc(bare({ outcome }));
      this.#toolCallDuration.observe(NO_LABELS, ms / 1000);
    });
  }

  launchersRestarted(count: number): void {
    if (count > 0) this.#record(() => this.#launcherRestarts.inc(count));
  }

  workerRestarted(): void {
    this.#record(() => this.#workerRestarts.inc());
  }

  #record(record: () => void): void {
    recorded('a metric', record);
  }

  /** With the trace of the run as exemplar, where there are both; `trace_id` is the name that OpenTelemetry has for it. */
  #observeTraced<L extends string>(
    histogram: Histogram<L>,
    labels: LabelValues<L>,
    value: number,
    traceId: string | undefined,
  ): void {
    if (this.#hasExemplars && traceId !== undefined) {
      // prom-client's types allow here the labels of the metric alone.
      const exemplarLabels: object = { trace_id: traceId };
      histogram.observe({ labels, value, exemplarLabels });
    } else if (this.#hasExemplars) {
      histogram.observe({ labels, value });
    } else {
      histogram.observe(labels, value);
    }
  }

  #histogram<L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    { traced = false } = {},
  ): Histogram<L> {
    return new Histogram({
      name: `wardenpool_${name}`,
      help,
      labelNames,
      buckets: BUCKETS,
      registers: [this.#registry],
      enableExemplars: traced && this.#hasExemplars,
    });
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name: `wardenpool_${name}`, help, labelNames, registers: [this.#registry] });
  }

  /** Every series begins at 0: rate() and increase() see no event that made its own series. */
  #counterBy<L extends string>(label: L, values: readonly string[], name: string, help: string): Counter<L> {
    const counter = this.#counter(name, help, [label]);
    for (const value of values) counter.inc(bare<string>({ [label]: value }), 0);
    return counter;
  }

  #gauge(name: string, help: string, reading: keyof GaugeReadings): void {
    const sources = this.#sources;
    new Gauge({
      name: `wardenpool_${name}`,
      help,
      registers: [this.#registry],
      collect() {
        let sum = 0;
        for (const source of sources) sum += source()[reading];
        this.set(NO_LABELS, sum);
      },
    });
  }
}
