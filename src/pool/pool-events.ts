/** The events of a pool. None of its listeners can crash the process: what they throw becomes a 'warning'. */
import { EventEmitter } from 'node:events';
import type { Receipt } from '../executor/receipt.js';

export interface PoolWarning {
  code: 'CALLBACK_FAILED' | 'LISTENER_FAILED';
  message: string;
  cause: unknown;
}

export interface PoolEvents {
  /** The queue is empty again, after 'needsDrain'. */
  drain: [];
  /** A run has to wait for a slot: better send no more until 'drain'. */
  needsDrain: [];
  /** For every sandbox that was used, those of rejected runs included; and for one that could not be spawned. */
  receipt: [receipt: Receipt];
  /** A worker thread died, and is being replaced. */
  workerExit: [worker: { threadId: number }];
  /** Something went wrong in code of the application's that the pool had called. */
  warning: [warning: PoolWarning];
}

export class PoolEventEmitter extends EventEmitter<PoolEvents> {
  constructor() {
    super({ captureRejections: true });
  }

  /** emit() that does not throw. */
  protected notify<E extends keyof PoolEvents>(event: E, ...values: PoolEvents[E]): void {
    if (this.listenerCount(event) === 0) return;
    try {
      // The base class cannot see that `values` belong to `event`.
      (this.emit as (event: string, ...values: unknown[]) => boolean).call(this, event, ...values);
    } catch (error) {
      this.#listenerFailed(event, error);
    }
  }

  /** Node calls this for a listener whose promise rejects. */
  override [EventEmitter.captureRejectionSymbol](error: Error, ...[event]: unknown[]): void {
    this.#listenerFailed(String(event), error);
  }

  #listenerFailed(event: string, cause: unknown): void {
    // A listener for warnings that fails itself has nobody left to be told.
    if (event === 'warning') return;
    this.notify('warning', { code: 'LISTENER_FAILED', message: `a listener for '${event}' failed`, cause });
  }
}
