/**
 * The tool calls of one run: checks each, starts its handler in the async context of the run() call, and keeps a record.
 * Must not know workers beyond a function that takes a result back.
 *
 *   call ─► quota ─► input schema ─► authorize ─► handler ─► output schema ─► JSON ─► result
 *
 * A call may end at every step, and from outside between any two: by its own time limit, and with its run.
 */
import type { AsyncResource } from 'node:async_hooks';
import { encodeToolError, encodeToolResult, frameBytes } from '../bridge/encode.js';
import { TooLong, toJsonText } from '../tools/json-text.js';
import { PIECE_LENGTH, parseInPieces } from '../tools/parse-in-pieces.js';
import type { Checked } from '../tools/schema-problem.js';
import type { ToolEntry, ToolTable } from '../tools/tool-set.js';
import { type Authorize, authorizeCall } from './authorization.js';
import { CallContext, type RunIdentity } from './call-context.js';
import { addResult, describeCall, newRecord } from './call-description.js';
import { acceptedInput, acceptedOutput, CallRefusal, overQuota, refusalOf, told } from './call-refusal.js';
import type { ToolCallOutcome, ToolCallRecord } from './run-result.js';
import type { CallTrace, RunTrace } from './tracing.js';
import { type HostTime, inTurns, onePiece } from './turns.js';

export interface ToolCallsOptions {
  tools: ToolTable;
  run: RunIdentity;
  /** Handlers run in it. */
  context: AsyncResource;
  trace: RunTrace | undefined;
  /** Of the run. */
  time: HostTime;
  maxFrameBytes: number;
  exposeToolErrors: boolean;
  authorize: Authorize | undefined;
  /** Takes a tool.result frame back to the program. */
  answer(callId: number, frame: string): void;
  /** Called once for each call, when its outcome is known. */
  onOutcome(record: ToolCallRecord): void;
  /** `authorize` threw, or answered neither yes nor no. */
  onAuthorizeError(error: unknown): void;
}

interface OpenCall {
  entry: ToolEntry;
  argumentsText: string;
  record: ToolCallRecord;
  context: CallContext;
  trace: CallTrace | undefined;
  startedAt: number;
  /** Of the tool's own time limit, once the handler has started. */
  timer: NodeJS.Timeout | undefined;
}

export interface IncomingCall {
  id: number;
  name: string;
  argumentsText: string;
}

export class ToolCalls {
  /** In the order of the calls. Those that are open are `abandoned` until they are not. */
  readonly records: ToolCallRecord[] = [];
  readonly #options: ToolCallsOptions;
  readonly #open = new Map<number, OpenCall>();
  /** Calls so far of the tools that have a quota. */
  readonly #counts = new Map<ToolEntry, number>();

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** Starts the handler of a call that the bridge has checked, if nothing speaks against it. */
  start({ id, name, argumentsText }: IncomingCall): void {
    const { tools, run, time, trace: runTrace } = this.#options;
    const entry = tools.get(name);
    if (entry === undefined)
      throw new Error(`a call of ${JSON.stringify(name)} passed the bridge undeclared`);
    const record = newRecord({ id, name, effect: entry.effect }, argumentsText);
    const context = new CallContext(run, id, name);
    const trace = runTrace?.toolCall(id, name);
    const startedAt = performance.now();
    const call = { entry, argumentsText, record, context, trace, startedAt, timer: undefined };
    this.records.push(record);
    this.#open.set(id, call);
    if (this.#isOverQuota(entry)) {
      this.#refuse(call, overQuota(entry.maxCalls));
      return;
    }
    inTurns(time, argumentsText.length > PIECE_LENGTH, this.#parseAndAdmit(call));
  }

  /** Calls that have no outcome yet. */
  get openCalls(): number {
    return this.#open.size;
  }

  /** Ends all open calls as abandoned, aborting their signals. What their handlers still do is nobody's result. */
  abandon(reason: unknown): void {
    if (this.#open.size === 0) return;
    const cause = reason ?? new DOMException('The run ended before this call did.', 'AbortError');
    for (const call of [...this.#open.values()]) {
      this.#over(call, 'abandoned');
      call.context.abort(cause);
    }
  }

  /** A call whose result came too late for the program. */
  markUnanswered(id: number): void {
    const record = this.records[id - 1];
    if (record === undefined) return;
    record.outcome = 'abandoned';
    delete record.result;
  }

  #isOpen(call: OpenCall): boolean {
    return this.#open.has(call.record.id);
  }

  /** Every call counts, those that come to nothing too. */
  #isOverQuota(entry: ToolEntry): boolean {
    if (entry.maxCalls === undefined) return false;
    const count = (this.#counts.get(entry) ?? 0) + 1;
    this.#counts.set(entry, count);
    return count > entry.maxCalls;
  }

  *#parseAndAdmit(call: OpenCall): Generator<void, void> {
    const { trace } = call;
    // What a handler gets is its own to change; the record has the text.
    const parsing = parseInPieces(call.argumentsText);
    // It may wait for its turns until after the run.
    while (this.#isOpen(call)) {
      const { done, value } = parsing.next();
      if (done === true) {
        const admit = () => this.#admit(call, value);
        this.#options.context.runInAsyncScope(trace === undefined ? admit : () => trace.run(admit));
        return;
      }
      yield;
    }
  }

  #admit(call: OpenCall, input: unknown): void {
    const { entry } = call;
    if (entry.input === undefined && this.#options.authorize === undefined) {
      this.#invoke(call, input);
      return;
    }
    this.#checkInput(call, input).then(
      (checked) => {
        if (this.#isOpen(call)) this.#invoke(call, checked);
      },
      (error: unknown) => this.#failed(call, error),
    );
  }

  /** What the handler gets, if it may have it. */
  async #checkInput({ entry, argumentsText, record }: OpenCall, input: unknown): Promise<unknown> {
    const { authorize, onAuthorizeError } = this.#options;
    const checked = entry.input === undefined ? input : acceptedInput(await entry.input.check(input));
    if (authorize !== undefined && this.#open.has(record.id)) {
      const { id, name, effect } = record;
      await authorizeCall(authorize, describeCall({ id, name, effect }, argumentsText), onAuthorizeError);
    }
    return checked;
  }

  #invoke(call: OpenCall, input: unknown): void {
    const { entry } = call;
    if (entry.timeoutMs !== undefined) {
      call.timer = setTimeout(() => this.#timedOut(call), entry.timeoutMs);
    }
    try {
      const returned: unknown = entry.execute(input, call.context);
      // Most handlers are asynchronous; those that are not need no promise.
      if (!isThenable(returned)) {
        this.#returned(call, returned);
        return;
      }
      Promise.resolve(returned).then(
        (value) =>
          inTurns(
            this.#options.time,
            false,
            onePiece(() => this.#returned(call, value)),
          ),
        (error: unknown) => this.#failed(call, error),
      );
    } catch (error) {
      // The handler threw, or what it returned does when it is looked at.
      this.#failed(call, error);
    }
  }

  #returned(call: OpenCall, value: unknown): void {
    if (!this.#isOpen(call)) return;
    const { output } = call.entry;
    try {
      if (output === undefined) {
        this.#succeeded(call, this.#text(value));
        return;
      }
      const seen = output.sees === 'json' ? JSON.parse(this.#text(value)) : value;
      const checked = output.check(seen);
      if (!isThenable(checked)) {
        this.#succeeded(call, this.#text(acceptedOutput(checked)));
        return;
      }
      Promise.resolve<Checked>(checked)
        .then((settled) => this.#succeeded(call, this.#text(acceptedOutput(settled))))
        .catch((error: unknown) => this.#failed(call, error));
    } catch (error) {
      this.#failed(call, error);
    }
  }

  #text(value: unknown): string {
    const { maxFrameBytes } = this.#options;
    try {
      return toJsonText(value, maxFrameBytes);
    } catch (error) {
      throw error instanceof TooLong ? tooLarge(maxFrameBytes) : error;
    }
  }

  #succeeded(call: OpenCall, resultText: string): void {
    if (!this.#isOpen(call)) return;
    const { id } = call.record;
    const frame = encodeToolResult(id, resultText);
    const { maxFrameBytes } = this.#options;
    if (frameBytes(frame) > maxFrameBytes) throw tooLarge(maxFrameBytes);
    addResult(call.record, resultText);
    this.#over(call, 'ok');
    this.#options.answer(id, frame);
  }

  #timedOut(call: OpenCall): void {
    const { timeoutMs } = call.entry;
    const cause = new DOMException(`The tool took longer than its ${timeoutMs} ms.`, 'TimeoutError');
    this.#refuse(call, new CallRefusal('timeout', 'TOOL_TIMEOUT', cause.message, { cause }));
    call.context.abort(cause);
  }

  #failed(call: OpenCall, error: unknown): void {
    if (this.#isOpen(call)) this.#refuse(call, refusalOf(error, this.#options.exposeToolErrors));
  }

  #refuse(call: OpenCall, refusal: CallRefusal): void {
    const { record } = call;
    // What `authorize` answered is no error, and the reason is its own.
    const error = refusal.cause ?? (refusal.code === 'TOOL_DENIED' ? undefined : refusal);
    if (error !== undefined) record.error = error;
    this.#over(call, refusal.outcome);
    const { code, message } = told(refusal);
    this.#options.answer(record.id, encodeToolError(record.id, code, message));
  }

  #over(call: OpenCall, outcome: ToolCallOutcome): void {
    const { record, startedAt, timer } = call;
    clearTimeout(timer);
    this.#open.delete(record.id);
    record.outcome = outcome;
    record.ms = performance.now() - startedAt;
    call.trace?.over(record);
    this.#options.onOutcome(record);
  }
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

function tooLarge(maxFrameBytes: number): CallRefusal {
  const message = `The tool returned more than ${maxFrameBytes} bytes, which is the most that can be passed on.`;
  return new CallRefusal('invalid', 'TOOL_RESULT_TOO_LARGE', message);
}
