/**
 * The tool calls of one run: starts handlers, in the async context of the run() call, and keeps a record of each. Must
 * not know workers beyond a function that takes a result back.
 */
import type { AsyncResource } from 'node:async_hooks';
import { encodeToolError, encodeToolResult, frameBytes } from '../bridge/encode.js';
import { canonicalDigest } from '../tools/canonical-json.js';
import { toJsonText } from '../tools/json-text.js';
import { ToolError } from '../tools/tool-error.js';
import type { ToolEntry, ToolTable } from '../tools/tool-set.js';
import { CallContext, type RunIdentity } from './call-context.js';
import type { ToolCallOutcome, ToolCallRecord } from './run-result.js';

/** Longest message and code of an error that are passed to a program, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 2048;
const MAX_CODE_LENGTH = 128;
const GENERIC_MESSAGE = 'The tool failed.';

export interface ToolCallsOptions {
  tools: ToolTable;
  run: RunIdentity;
  /** Handlers run in it. */
  context: AsyncResource;
  maxFrameBytes: number;
  exposeToolErrors: boolean;
  /** Takes a tool.result frame back to the program. */
  answer(callId: number, frame: string): void;
  /** Called once for each call, when its outcome is known. */
  onOutcome(record: ToolCallRecord): void;
}

interface OpenCall {
  record: ToolCallRecord;
  context: CallContext;
  startedAt: number;
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

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** Starts the handler of a call that the bridge has checked. */
  start({ id, name, argumentsText }: IncomingCall): void {
    const { tools, run, context: asyncContext } = this.#options;
    const entry = tools.get(name);
    if (entry === undefined)
      throw new Error(`a call of ${JSON.stringify(name)} passed the bridge undeclared`);
    const record = newRecord({ id, name, effect: entry.effect }, argumentsText);
    this.records.push(record);
    const call: OpenCall = { record, context: new CallContext(run, id, name), startedAt: performance.now() };
    this.#open.set(id, call);
    asyncContext.runInAsyncScope(this.#invoke, this, entry, JSON.parse(argumentsText), call);
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

  #invoke(entry: ToolEntry, input: unknown, call: OpenCall): void {
    try {
      const returned: unknown = entry.execute(input, call.context);
      // Most handlers are asynchronous; those that are not need no promise.
      if (!isThenable(returned)) {
        this.#succeeded(call, returned);
        return;
      }
      Promise.resolve(returned).then(
        (value) => this.#succeeded(call, value),
        (error: unknown) => this.#failed(call, error),
      );
    } catch (error) {
      // The handler threw, or what it returned does when it is looked at.
      this.#failed(call, error);
    }
  }

  #succeeded(call: OpenCall, value: unknown): void {
    if (!this.#open.has(call.record.id)) return;
    const { id } = call.record;
    let text: string;
    let frame: string;
    try {
      text = toJsonText(value);
      frame = encodeToolResult(id, text);
    } catch (error) {
      this.#invalid(
        call,
        'TOOL_RESULT_INVALID',
        `The tool returned what JSON cannot carry: ${messageOf(error)}`,
        error,
      );
      return;
    }
    const bytes = frameBytes(frame);
    const { maxFrameBytes } = this.#options;
    if (bytes > maxFrameBytes) {
      const message = `The tool returned ${bytes} bytes, and at most ${maxFrameBytes} can be passed on.`;
      this.#invalid(call, 'TOOL_RESULT_TOO_LARGE', message);
      return;
    }
    // What the program gets, which the handler cannot change any more.
    defineLazily(call.record, 'result', () => JSON.parse(text));
    this.#over(call, 'ok');
    this.#options.answer(id, frame);
  }

  #invalid(call: OpenCall, code: string, message: string, error?: unknown): void {
    if (error !== undefined) call.record.error = error;
    this.#over(call, 'invalid');
    this.#answerError(call, code, message);
  }

  #failed(call: OpenCall, error: unknown): void {
    if (!this.#open.has(call.record.id)) return;
    call.record.error = error;
    this.#over(call, 'failed');
    const told = toldBy(error);
    if (told !== undefined) this.#answerError(call, told.code, told.message);
    else
      this.#answerError(
        call,
        'TOOL_FAILED',
        this.#options.exposeToolErrors ? messageOf(error) : GENERIC_MESSAGE,
      );
  }

  #answerError({ record }: OpenCall, code: string, message: string): void {
    const frame = encodeToolError(
      record.id,
      bounded(code, MAX_CODE_LENGTH),
      bounded(message, MAX_MESSAGE_LENGTH),
    );
    this.#options.answer(record.id, frame);
  }

  #over({ record, startedAt }: OpenCall, outcome: ToolCallOutcome): void {
    this.#open.delete(record.id);
    record.outcome = outcome;
    record.ms = performance.now() - startedAt;
    this.#options.onOutcome(record);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

/** Code and message of a ToolError; undefined for whatever else was thrown. Never throws. */
function toldBy(error: unknown): { code: string; message: string } | undefined {
  try {
    if (!(error instanceof ToolError)) return undefined;
    // A subclass may have made them anything.
    return { code: String(error.code), message: String(error.message) };
  } catch {
    return undefined;
  }
}

/** Of whatever was thrown; never throws. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return GENERIC_MESSAGE;
  }
}

function bounded(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

type RecordHead = Pick<ToolCallRecord, 'id' | 'name' | 'effect'>;

function newRecord(head: RecordHead, argumentsText: string): ToolCallRecord {
  const record = { ...head, outcome: 'abandoned', ms: 0 } as ToolCallRecord;
  // What a handler gets is parsed apart, since a handler may change it.
  defineLazily(record, 'arguments', () => JSON.parse(argumentsText));
  defineLazily(record, 'argumentsDigest', () => canonicalDigest(JSON.parse(argumentsText)));
  return record;
}

/**
 * A member that is made when it is first read, and is like any other to whoever reads, copies or prints the record. A record
 * is kept until its run is over, and a text of a megabyte may parse to forty times that in objects: a program must not be
 * able to have the host keep those, nor work on them for nobody.
 */
function defineLazily(
  record: ToolCallRecord,
  key: 'arguments' | 'argumentsDigest' | 'result',
  make: () => unknown,
): void {
  const common = { enumerable: true, configurable: true };
  Object.defineProperty(record, key, {
    ...common,
    get(this: ToolCallRecord) {
      const value = make();
      Object.defineProperty(this, key, { ...common, writable: true, value });
      return value;
    },
  });
}
