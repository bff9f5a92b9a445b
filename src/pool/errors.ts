/**
 * What the pool or the machine could not do: one class each, with a code that stays. What a program did wrong is data,
 * not an error (see RunResult).
 */
import type { Receipt } from '../executor/receipt.js';
import type { LogEntry, ToolCallRecord } from './run-result.js';

/** What was known of a run when it was given up. */
export interface RunSoFar {
  executionId?: string | undefined;
  toolCalls?: ToolCallRecord[];
  logs?: LogEntry[];
}

/** Base of every rejection of createPool(), run() and metricsServer(). */
export abstract class PoolError extends Error {
  abstract readonly code: string;
  /** Of the run that failed, if it had got one. */
  readonly executionId: string | undefined;
  /** Calls until then; those still open are `abandoned`. */
  readonly toolCalls: ToolCallRecord[];
  /** Console output that had reached the host until then. */
  readonly logs: LogEntry[];
  /** True if the same run may be tried again: no handler had started. The pool never does that by itself. */
  readonly retryable: boolean;

  constructor(message: string, run: RunSoFar = {}, retryable = false, options?: ErrorOptions) {
    super(message, options);
    this.executionId = run.executionId;
    this.toolCalls = run.toolCalls ?? [];
    this.logs = run.logs ?? [];
    this.retryable = retryable && this.toolCalls.length === 0;
  }
}

/** The queue has `maxQueue` runs already. */
export class QueueFullError extends PoolError {
  override readonly name = 'QueueFullError';
  readonly code = 'QUEUE_FULL';

  constructor(maxQueue: number, run: RunSoFar) {
    super(`${maxQueue} runs are waiting already, which is maxQueue: try again later, or raise it`, run, true);
  }
}

/** No slot became free within `queueTimeoutMs`. */
export class QueueTimeoutError extends PoolError {
  override readonly name = 'QueueTimeoutError';
  readonly code = 'QUEUE_TIMEOUT';

  constructor(queueTimeoutMs: number, run: RunSoFar) {
    super(
      `the run waited ${queueTimeoutMs} ms for a slot, which is queueTimeoutMs: try again later`,
      run,
      true,
    );
  }
}

/** The pool was closed or destroyed, before the run or during it. */
export class PoolClosedError extends PoolError {
  override readonly name = 'PoolClosedError';
  readonly code = 'POOL_CLOSED';

  constructor(message: string, run: RunSoFar, retryable: boolean) {
    super(message, run, retryable);
  }
}

/** The thread or launcher that had the run ended, and took the run along. */
export class WorkerLostError extends PoolError {
  override readonly name = 'WorkerLostError';
  readonly code = 'WORKER_LOST';

  constructor(reason: string, run: RunSoFar, options?: ErrorOptions) {
    super(`the worker of this run was lost: ${reason}`, run, true, options);
  }
}

/** One thing that a sandbox needs and this machine does not give. */
export interface Missing {
  capability: string;
  /** What was tried, and what came of it. */
  reason: string;
  /** What would allow it. */
  remedy: string;
  /** The backend that lacks it; absent where none could have it. */
  backend?: Receipt['backend']['name'];
}

/** There is no sandbox with every needed capability. Nothing was run, confined or not. */
export class SandboxUnavailableError extends PoolError {
  override readonly name = 'SandboxUnavailableError';
  readonly code = 'SANDBOX_UNAVAILABLE';

  constructor(
    readonly missing: readonly Missing[],
    run: RunSoFar = {},
    options?: ErrorOptions,
  ) {
    const reasons = missing.map(
      ({ capability, reason, remedy, backend }) =>
        `${backend === undefined ? '' : `${backend}: `}${capability}: ${reason} (${remedy})`,
    );
    super(`no sandbox is available: ${reasons.join('; ')}`, run, run.executionId !== undefined, options);
  }
}

/** An option that does not exist, or a value that it cannot have. */
export class InvalidOptionError extends PoolError {
  override readonly name = 'InvalidOptionError';
  readonly code = 'INVALID_OPTION';
}

/** A tool that cannot be used as it is written. */
export class InvalidToolError extends PoolError {
  override readonly name = 'InvalidToolError';
  readonly code = 'INVALID_TOOL';
}

/** The run's signal was aborted. `cause` is the signal's reason. */
export class AbortError extends PoolError {
  override readonly name = 'AbortError';
  readonly code = 'ABORT_ERR';

  constructor(reason: unknown, run: RunSoFar) {
    super('the run was aborted by its signal', run, false, { cause: reason });
  }
}
