/**
 * One run on the main thread, from run() to its result: its logs, its tool calls, and the promise that the caller holds.
 * It may be given up (aborted, closed, lost) before its worker is done with it; then the caller hears at once, and what
 * the worker reports later is only accounted for. Must not know the queue or the workers.
 */
import { AsyncResource } from 'node:async_hooks';
import type { Receipt } from '../executor/receipt.js';
import type { JsonValue } from '../tools/json-value.js';
import { PIECE_LENGTH, parseInPieces } from '../tools/parse-in-pieces.js';
import type { ToolTable } from '../tools/tool-set.js';
import type { PoolError, RunSoFar } from './errors.js';
import { excludedToolsText } from './excluded-tools.js';
import type { ProgramOutcome, RunReport, RunTask } from './messages.js';
import { checkResult } from './result-check.js';
import type { RunSettings } from './run-options.js';
import type { RunRequest } from './run-request.js';
import type { LogEntry, RunError, RunResult, RunWarning, ToolCallRecord } from './run-result.js';
import { type IncomingCall, ToolCalls } from './tool-calls.js';
import { RunTrace, type TracedEnd } from './tracing.js';
import { HostTime, inTurns } from './turns.js';

export interface PoolRunOptions extends RunRequest {
  exposeToolErrors: boolean;
  answer(run: PoolRun, callId: number, frame: string): void;
  /** Called once for each tool call, when its outcome is known. */
  onCallOutcome(record: ToolCallRecord): void;
  /** A callback of the caller's, or a schema, threw. */
  onCallbackError(name: string, error: unknown): void;
}

type AnyResult = RunResult<JsonValue | undefined>;
type ValueOrError = { ok: true; value: JsonValue | undefined } | { ok: false; error: RunError };

export class PoolRun {
  readonly executionId: string;
  readonly settings: RunSettings;
  /** What run() returned. */
  readonly promise: Promise<AnyResult>;
  /** Number by which workers know it; 0 until it is handed to one. */
  number = 0;
  readonly #code: string;
  readonly #tools: ToolTable;
  readonly #options: PoolRunOptions;
  readonly #context = new AsyncResource('wardenpool.run');
  readonly #trace: RunTrace | undefined;
  readonly #time = new HostTime();
  readonly #calls: ToolCalls;
  readonly #logs: LogEntry[] = [];
  readonly #acceptedAt = performance.now();
  #startedAt: number | undefined;
  /** As `Date.now()` has it. */
  #handedAt = 0;
  #messages = 0;
  #awaitedMessages = 0;
  #onMessages: (() => void) | undefined;
  #onWait: () => void = () => {};
  #givenUp = false;
  #resolve: (result: AnyResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(options: PoolRunOptions) {
    const { executionId, code, tools, settings } = options;
    this.executionId = executionId;
    this.settings = settings;
    this.#code = code;
    this.#tools = tools;
    this.#options = options;
    const identity = { executionId, key: settings.key, labels: settings.labels };
    this.#trace = RunTrace.begin(identity);
    this.#calls = new ToolCalls({
      tools,
      run: identity,
      context: this.#context,
      trace: this.#trace,
      time: this.#time,
      maxFrameBytes: settings.limits.maxFrameBytes,
      exposeToolErrors: options.exposeToolErrors,
      authorize: settings.authorize,
      answer: (callId, frame) => options.answer(this, callId, frame),
      onOutcome: (record) => this.#onOutcome(record),
      onAuthorizeError: (error) => options.onCallbackError('authorize', error),
    });
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** A worker has it, or had it. */
  get isStarted(): boolean {
    return this.#startedAt !== undefined;
  }

  /** Time until a worker was to have it, milliseconds; until now, while none was. */
  get queueMs(): number {
    return (this.#startedAt ?? performance.now()) - this.#acceptedAt;
  }

  /** A worker is to have it. `onWait` is called, once or more, when it waits for a tool. */
  start(onWait: () => void): void {
    this.#startedAt = performance.now();
    this.#onWait = onWait;
    this.#trace?.started();
  }

  /** For spans; once for each run. */
  traceSpawn(spawnMs: number, source: 'warm' | 'cold'): void {
    this.#trace?.spawned(this.#handedAt, spawnMs, source);
  }

  /** For spans; the first of them counts. */
  traceEnd(end: TracedEnd): void {
    this.#trace?.over(end);
  }

  /** True once the caller was told that there will be no result. */
  get isGivenUp(): boolean {
    return this.#givenUp;
  }

  /** For an error about this run. The records are the caller's to keep: they do not change any more. */
  #soFar(): RunSoFar {
    return {
      executionId: this.executionId,
      // By descriptors: what of a record was not read yet is not parsed for this.
      toolCalls: this.#calls.records.map((record) =>
        Object.defineProperties({} as ToolCallRecord, Object.getOwnPropertyDescriptors(record)),
      ),
      logs: [...this.#logs],
    };
  }

  task(number: number): RunTask {
    this.number = number;
    this.#handedAt = Date.now();
    const traceId = this.#trace?.traceId;
    return {
      run: number,
      executionId: this.executionId,
      code: this.#code,
      language: this.settings.language,
      normalize: this.settings.normalize,
      toolNames: [...this.#tools.keys()],
      limits: this.settings.limits,
      labels: this.settings.labels,
      streamLogs: this.settings.onLog !== undefined,
      ...(this.settings.seed !== undefined && { seed: this.settings.seed }),
      ...(traceId !== undefined && { traceId }),
    };
  }

  /** A tool call, over the link. */
  onCall(call: IncomingCall & { logs: LogEntry[] }): void {
    this.#messages++;
    this.#onWait();
    this.#addLogs(call.logs);
    try {
      if (!this.#givenUp) this.#calls.start(call);
    } finally {
      this.#messagesMoved();
    }
  }

  /** Console output, over the link. */
  onLogs(logs: LogEntry[]): void {
    this.#messages++;
    this.#addLogs(logs);
    this.#messagesMoved();
  }

  /** Resolves when `count` messages have come over the link, which keeps no common order with the report. */
  messagesReceived(count: number): Promise<void> | undefined {
    if (this.#messages >= count) return undefined;
    this.#awaitedMessages = count;
    return new Promise((resolve) => {
      this.#onMessages = resolve;
    });
  }

  /** No more messages are coming: the link is gone. */
  endMessages(): void {
    this.#onMessages?.();
    this.#onMessages = undefined;
  }

  /** Tells the caller that there will be no result; later calls do nothing. Open tool calls are aborted. */
  giveUp(makeError: (run: RunSoFar) => PoolError): void {
    if (this.#givenUp) return;
    this.#givenUp = true;
    try {
      this.#calls.abandon(this.settings.signal?.aborted ? this.settings.signal.reason : undefined);
      this.#reject(makeError(this.#soFar()));
    } catch (error) {
      this.#reject(error);
    }
  }

  /** The result by what the worker reported. To be settled later, when the slot of the run is free again. */
  async result(
    report: Omit<RunReport, 'outcome' | 'sandbox'>,
    outcome: ProgramOutcome,
    receipt: Receipt,
  ): Promise<AnyResult> {
    const hadOpenCalls = this.#abandonOpenCalls(report.unanswered) || report.openCalls > 0;
    this.#addLogs(report.logs);
    const settledItself = outcome.kind === 'value' || outcome.error.kind === 'javascript';
    const warnings: RunWarning[] = [...report.warnings];
    if (hadOpenCalls && settledItself) warnings.push({ ...NOT_AWAITED });
    return {
      ...(outcome.kind === 'error' ? this.#failure(outcome.error, warnings) : await this.#success(outcome)),
      ...this.#common(),
      logsTruncated: report.logsTruncated,
      program: report.program,
      warnings,
      usage: { queueMs: this.queueMs, ...report.usage, toolCalls: this.#calls.records.length },
      receipt,
    };
  }

  settle(result: AnyResult): void {
    this.#resolve(result);
  }

  #common() {
    return {
      executionId: this.executionId,
      logs: this.#logs,
      toolCalls: this.#calls.records,
    };
  }

  /** `value`: what a resultSchema made of it, if there is one. */
  async #success({ valueText }: Extract<ProgramOutcome, { kind: 'value' }>): Promise<ValueOrError> {
    const value = valueText === undefined ? undefined : await this.#parse(valueText);
    const { resultCheck, limits } = this.settings;
    if (resultCheck === undefined) return { ok: true, value };
    const check = () =>
      checkResult(resultCheck, value, limits.timeoutMs, (error) =>
        this.#options.onCallbackError('resultSchema', error),
      );
    // The type of the value is the schema's from here on, as the caller has it.
    return (await this.#context.runInAsyncScope(check)) as ValueOrError;
  }

  #parse(text: string): JsonValue | Promise<JsonValue> {
    if (text.length <= PIECE_LENGTH) return JSON.parse(text) as JsonValue;
    return new Promise((resolve, reject) => {
      const pieces = function* (): Generator<void, void> {
        try {
          resolve(yield* parseInPieces(text));
        } catch (error) {
          reject(error);
        }
      };
      inTurns(this.#time, true, pieces());
    });
  }

  /** A program that failed for want of a tool that writes is told so. */
  #failure(error: RunError, warnings: RunWarning[]): ValueOrError {
    if (error.kind !== 'javascript' || this.#options.excluded.length === 0) return { ok: false, error };
    const text = excludedToolsText(this.#code, this.#options.excluded);
    if (text === undefined) return { ok: false, error };
    warnings.push({ code: 'TOOL_EXCLUDED_IN_INSPECT', message: text });
    return {
      ok: false,
      error: { ...error, hint: error.hint === undefined ? text : `${error.hint} ${text}` },
    };
  }

  /** True if there were any: with no outcome yet, or with one that came too late for the program. */
  #abandonOpenCalls(unanswered: readonly number[]): boolean {
    const open = this.#calls.openCalls > 0 || unanswered.length > 0;
    this.#calls.abandon(undefined);
    for (const id of unanswered) this.#calls.markUnanswered(id);
    return open;
  }

  #addLogs(logs: LogEntry[]): void {
    for (const entry of logs) {
      this.#logs.push(entry);
      const { onLog } = this.settings;
      if (onLog !== undefined && !this.#givenUp) this.#callBack('onLog', onLog, entry);
    }
  }

  #onOutcome(record: ToolCallRecord): void {
    this.#options.onCallOutcome(record);
    const { onToolCall } = this.settings;
    if (onToolCall !== undefined) this.#callBack('onToolCall', onToolCall, record);
  }

  #callBack<T>(name: string, callback: (value: T) => unknown, value: T): void {
    try {
      const returned = this.#context.runInAsyncScope(callback, undefined, value);
      if (returned instanceof Promise) {
        returned.catch((error: unknown) => this.#options.onCallbackError(name, error));
      }
    } catch (error) {
      this.#options.onCallbackError(name, error);
    }
  }

  #messagesMoved(): void {
    if (this.#messages >= this.#awaitedMessages) this.endMessages();
  }
}

const NOT_AWAITED = {
  code: 'TOOL_CALL_NOT_AWAITED',
  message:
    'The program ended while tool calls were open: what was under way was aborted, and what waited for its turn was ' +
    'never made. Await every call.',
};
