/** What a handler is told about its call. The signal is made when somebody asks for it: most handlers do not. */
import type { ToolContext } from '../tools/tool.js';

/** What all calls of one run have in common. */
export interface RunIdentity {
  executionId: string;
  key: string | undefined;
  labels: Readonly<Record<string, string>>;
}

export class CallContext implements ToolContext {
  readonly executionId: string;
  readonly callId: number;
  readonly toolName: string;
  readonly key?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly idempotencyKey: string;
  #controller: AbortController | undefined;
  #aborted: { reason: unknown } | undefined;

  constructor(run: RunIdentity, callId: number, toolName: string) {
    this.executionId = run.executionId;
    this.callId = callId;
    this.toolName = toolName;
    if (run.key !== undefined) this.key = run.key;
    this.labels = run.labels;
    this.idempotencyKey = `${run.executionId}/${callId}`;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** At most once. */
  abort(reason: unknown): void {
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }
}
