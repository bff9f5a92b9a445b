/**
 * The pool: accepts runs, gives each to a worker when it has a slot, and tells the caller what came of it. Must not know
 * descriptors, processes or frames.
 */
import { channel } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { RECEIPT_CHANNEL } from '../executor/receipt.js';
import { describeThrown } from '../tools/describe-value.js';
import type { JsonValue } from '../tools/json-value.js';
import type { ToolSet } from '../tools/tool.js';
import { openOnBackend } from './backend-choice.js';
import {
  AbortError,
  InvalidOptionError,
  PoolClosedError,
  type PoolError,
  QueueFullError,
  QueueTimeoutError,
  type RunSoFar,
  SandboxUnavailableError,
  WorkerLostError,
} from './errors.js';
import { readCloseOptions, readMetricsServerOptions } from './lifecycle-options.js';
import type { RunFailure, RunReport } from './messages.js';
import { addProcessMetrics, type ExecutionOutcome, type Metrics, metricsOn } from './metrics.js';
import { startMetricsServer } from './metrics-server.js';
import { poolClosed, poolOpened, queueFull, stopForced } from './pool-diagnostics.js';
import { PoolEventEmitter } from './pool-events.js';
import { type PoolOptions, type PoolSettings, readPoolOptions } from './pool-options.js';
import { PoolRun } from './pool-run.js';
import { type PoolStats, RunCounters } from './pool-stats.js';
import type { RunOptions } from './run-options.js';
import { RunQueue } from './run-queue.js';
import { type RunRequest, readRunRequest } from './run-request.js';
import type { RunResult } from './run-result.js';
import { RunRoutes } from './run-routes.js';
import { WorkerGroup } from './worker-group.js';

/** For whoever audits all receipts of a process, whatever made them. */
const receipts = channel(RECEIPT_CHANNEL);

/**
 * Starts the worker threads, checks that sandboxes can be made on this machine, and warms some. Rejects with
 * SandboxUnavailableError, which names what is missing, or with InvalidOptionError.
 */
export async function createPool(options: PoolOptions = {}): Promise<Pool> {
  return Pool.open(readPoolOptions(options));
}

/** Runs programs, each in a sandboxed process of its own. Made by createPool(). */
export class Pool extends PoolEventEmitter implements AsyncDisposable {
  readonly #settings: PoolSettings;
  readonly #metrics: Metrics;
  readonly #workers: WorkerGroup;
  readonly #routes: RunRoutes;
  readonly #queue: RunQueue;
  readonly #counters = new RunCounters();
  readonly #removeFromGauges: () => void;
  readonly #servers = new Set<Server>();
  #isClosed = false;
  #closing: Promise<void> | undefined;
  #shuttingDown: Promise<void> | undefined;

  /** @internal Use createPool(). */
  static async open(settings: PoolSettings): Promise<Pool> {
    const { threads, concurrency, isolation, warm, limits } = settings;
    const metrics = metricsOn(settings.registry);
    if (settings.processMetrics) addProcessMetrics(settings.registry);
    const routes = new RunRoutes(metrics);
    const workers = await openOnBackend(settings, (choice) => {
      const setup = { isolation, warm, limits, ...choice };
      return WorkerGroup.open({ threads, concurrency, setup }, routes);
    });
    poolOpened(settings, workers.choice);
    return new Pool(settings, metrics, workers, routes);
  }

  private constructor(settings: PoolSettings, metrics: Metrics, workers: WorkerGroup, routes: RunRoutes) {
    super();
    this.#settings = settings;
    this.#metrics = metrics;
    this.#workers = workers;
    this.#routes = routes;
    this.#queue = new RunQueue(settings, {
      execute: (run) => this.#execute(run),
      onBroken: (run, error) =>
        run.giveUp((soFar) => new WorkerLostError(describeThrown(error), soFar, { cause: error })),
      onAbort: (run, reason) => this.#giveUp(run, 'aborted', (soFar) => new AbortError(reason, soFar)),
      onLate: (run, ms) => this.#giveUp(run, 'queue_timeout', (soFar) => new QueueTimeoutError(ms, soFar)),
      onNeedsDrain: () => this.notify('needsDrain'),
      onDrain: () => this.notify('drain'),
    });
    this.#removeFromGauges = metrics.addSource(() => this.#readings());
    routes.onWorkerExit = (threadId) => this.notify('workerExit', { threadId });
  }

  /**
   * Runs `code`, the body of an async function in which `tools` is an object of the given tools by name. Resolves with
   * what the program did, right or wrong. Rejects with a PoolError for what the pool or the machine could not do.
   * `T` is what `options.resultSchema` says; without one it is the caller's word, and nothing checks it.
   */
  run<T = JsonValue | undefined>(
    code: string,
    tools: ToolSet = {},
    options?: RunOptions<T>,
  ): Promise<RunResult<T>> {
    try {
      this.#refuseIfClosed();
      const request = readRunRequest(code, tools, options, this.#settings.limits);
      return this.#accept(request).promise as Promise<RunResult<T>>;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Resolves when nothing is queued and nothing is running. */
  drain(): Promise<void> {
    return this.#queue.drain();
  }

  /**
   * Takes no more runs, waits until those that there are have finished, at most `timeoutMs` (default 10,000), and then
   * ends everything as destroy() does. Idempotent.
   */
  close(options?: { timeoutMs?: number }): Promise<void> {
    try {
      const { timeoutMs } = readCloseOptions(options);
      this.#isClosed = true;
      this.#closing ??= this.#close(timeoutMs);
      return this.#closing;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Stops everything now: runs, queued and running, reject with PoolClosedError. Idempotent. */
  destroy(): Promise<void> {
    this.#isClosed = true;
    this.#giveUpAll('the pool was destroyed');
    return this.#shutDown();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get stats(): PoolStats {
    let launchers = 0;
    for (const { state } of this.#workers.threads) if (state.problem === undefined) launchers++;
    const perThread = Array.from(this.#workers.threads, ({ threadId, running, started, state }) => ({
      threadId,
      running,
      started,
      warm: state.warm,
    }));
    return {
      ...this.#readings(),
      ...this.#counters,
      threads: perThread.length,
      launchers,
      perThread,
    };
  }

  /** Where the metrics of this pool are, `wardenpool_…`. */
  get registry(): Registry {
    return this.#settings.registry;
  }

  /**
   * Serves GET /metrics, /healthz and /readyz over HTTP. Default: a free port of 127.0.0.1. Neither the server nor
   * its connections keep the process alive, and it ends with the pool. Rejects with InvalidOptionError where it cannot listen there.
   */
  async metricsServer(options?: { port?: number; host?: string }): Promise<Server> {
    const { port, host } = readMetricsServerOptions(options);
    this.#refuseIfClosed();
    const watched = {
      registry: this.registry,
      notReady: () => (this.#isClosed ? 'the pool is closed' : this.#workers.problem),
    };
    const server = await startMetricsServer(watched, port, host);
    this.#servers.add(server);
    server.once('close', () => this.#servers.delete(server));
    if (this.#isClosed) server.close();
    return server;
  }

  // The way in

  #accept(request: RunRequest): PoolRun {
    const { executionId, settings } = request;
    const { signal } = settings;
    if (this.#queue.has(executionId)) {
      throw new InvalidOptionError(
        `option executionId of run() is ${JSON.stringify(executionId)}, which is in flight already: ` +
          'give another, or none',
        { executionId },
      );
    }
    this.#counters.started++;
    this.#metrics.runStarted();
    if (signal?.aborted) {
      this.#countRejection('aborted');
      throw new AbortError(signal.reason, { executionId });
    }
    if (this.#queue.isFullFor(settings)) {
      this.#countRejection('queue_full');
      queueFull(executionId, this.#settings.maxQueue);
      throw new QueueFullError(this.#settings.maxQueue, { executionId });
    }
    const run = new PoolRun({
      ...request,
      exposeToolErrors: this.#settings.exposeToolErrors,
      answer: (answered, callId, frame) => this.#routes.answer(answered, callId, frame),
      onCallOutcome: ({ outcome, ms }) => this.#metrics.toolCallOver(outcome, ms),
      onCallbackError: (name, cause) =>
        this.notify('warning', { code: 'CALLBACK_FAILED', message: `the callback ${name} failed`, cause }),
    });
    this.#queue.admit(run);
    return run;
  }

  // The slot

  async #execute(run: PoolRun): Promise<(() => void) | undefined> {
    try {
      this.#metrics.runHasTurn(run.queueMs);
      const report = await this.#report(run);
      return report === undefined ? undefined : await this.#finish(run, report);
    } catch (error) {
      const failure: RunFailure =
        error instanceof SandboxUnavailableError
          ? { kind: 'unavailable', missing: [...error.missing] }
          : { kind: 'lost', reason: describeThrown(error) };
      this.#giveUpFailed(run, failure, error);
      return undefined;
    }
  }

  /** What a worker made of the run; undefined if the run was given up before a worker had it. */
  async #report(run: PoolRun): Promise<RunReport | undefined> {
    const thread = this.#workers.freest() ?? (await this.#workers.waitForFreest());
    if (run.isGivenUp) return undefined;
    const number = this.#workers.nextRun();
    this.#routes.add(number, run, thread);
    try {
      const report = await thread.run(run.task(number));
      await run.messagesReceived(report.messages);
      return report;
    } finally {
      this.#routes.remove(number);
    }
  }

  async #finish(
    run: PoolRun,
    { outcome, sandbox, refusal, ...report }: RunReport,
  ): Promise<(() => void) | undefined> {
    if (sandbox !== undefined) {
      this.#metrics.sandboxOver(sandbox);
      run.traceSpawn(sandbox.receipt.timings.spawnMs, sandbox.source);
      if (sandbox.receipt.stop.forcedStopAttempted) {
        this.#counters.forcedStops++;
        stopForced(sandbox.receipt);
      }
    }
    const receipt = sandbox?.receipt ?? refusal;
    if (receipt !== undefined) {
      receipts.publish(receipt);
      this.notify('receipt', receipt);
    }
    if (run.isGivenUp) return undefined;
    if (outcome.kind === 'failure' || sandbox === undefined) {
      const unexplained: RunFailure = { kind: 'lost', reason: 'it reported an outcome without a receipt' };
      this.#giveUpFailed(run, outcome.kind === 'failure' ? outcome.failure : unexplained);
      return undefined;
    }
    const result = await run.result(report, outcome, sandbox.receipt);
    // A result is checked for some time, maybe, and the caller may have gone meanwhile.
    if (run.isGivenUp) return undefined;
    if (result.ok) this.#counters.completed++;
    else this.#counters.failed++;
    const { traceId } = sandbox.receipt;
    this.#metrics.runOver(result.ok ? 'ok' : result.error.kind, report.usage.runMs, traceId);
    run.traceEnd(
      result.ok ? { outcome: 'ok' } : { outcome: result.error.kind, message: result.error.message },
    );
    return () => run.settle(result);
  }

  // Giving up

  #giveUpFailed(run: PoolRun, failure: RunFailure, cause?: unknown): void {
    const options = cause === undefined ? undefined : { cause };
    if (failure.kind === 'lost') {
      this.#giveUp(run, 'lost', (soFar) => new WorkerLostError(failure.reason, soFar, options));
    } else {
      this.#giveUp(
        run,
        'unavailable',
        (soFar) => new SandboxUnavailableError(failure.missing, soFar, options),
      );
    }
  }

  /** Rejects the run at once; its slot stays taken until its worker is done with it. */
  #giveUp(run: PoolRun, outcome: ExecutionOutcome, makeError: (soFar: RunSoFar) => PoolError): void {
    if (run.isGivenUp) return;
    this.#countRejection(outcome);
    run.traceEnd({ outcome, message: `the run was given up: ${outcome}` });
    run.giveUp(makeError);
    if (run.isStarted) {
      this.#routes.cancel(run, outcome === 'closed' ? 'closed' : 'cancelled');
    } else {
      this.#queue.leave(run);
    }
  }

  #countRejection(outcome: ExecutionOutcome): void {
    if (outcome === 'aborted') this.#counters.aborted++;
    else this.#counters.rejected++;
    this.#metrics.runOver(outcome);
  }

  #giveUpAll(why: string): void {
    for (const run of this.#queue.runs()) {
      this.#giveUp(run, 'closed', (soFar) => new PoolClosedError(why, soFar, true));
    }
  }

  // The end of the pool

  async #close(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.drain(), timeout]);
    clearTimeout(timer);
    this.#giveUpAll(`the pool was closed, and the run did not end within ${timeoutMs} ms`);
    await this.#shutDown();
  }

  #shutDown(): Promise<void> {
    this.#shuttingDown ??= this.#workers.close().finally(() => {
      this.#removeFromGauges();
      poolClosed();
      for (const server of this.#servers) {
        server.close();
        server.closeAllConnections();
      }
    });
    return this.#shuttingDown;
  }

  #refuseIfClosed(): void {
    if (this.#isClosed)
      throw new PoolClosedError('the pool is closed: make another with createPool()', {}, false);
  }

  #readings() {
    let warm = 0;
    for (const { state } of this.#workers.threads) warm += state.warm;
    return { queued: this.#queue.queued, running: this.#queue.running, warm };
  }
}
