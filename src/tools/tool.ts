/**
 * What a tool is, as its author writes it, and what a handler is told about a call.
 * Must not know workers or processes.
 */
import type { Schema } from './schema.js';

/** What a handler knows about the call that it answers. */
export interface ToolContext {
  /**
   * Aborted when the call is over before its handler is: the run was aborted, ran out of time, or settled without
   * awaiting it (AbortError); or the tool's own `timeoutMs` is over (TimeoutError).
   */
  readonly signal: AbortSignal;
  readonly executionId: string;
  /** From 1, in the order of the program's calls. */
  readonly callId: number;
  readonly toolName: string;
  /** The `key` option of the run, if it had one. */
  readonly key?: string;
  /** The `labels` option of the run. */
  readonly labels: Readonly<Record<string, string>>;
  /** `${executionId}/${callId}`: the same for any repetition of this very call. */
  readonly idempotencyKey: string;
}

/**
 * Answers calls of one tool. `input` is the JSON object that the program passed, or what the
 * tool's `inputSchema` made of it. What it returns, or resolves to, goes
 * to the program as JSON; what it throws becomes an error there (see ToolError).
 */
// biome-ignore lint/suspicious/noExplicitAny: a handler declares the input it expects; the program decides what comes.
export type ToolHandler = (input: any, context: ToolContext) => unknown;

/** Whether a tool only reads. Unknown tools count as writing. */
export type ToolEffect = 'read' | 'write';

// biome-ignore lint/suspicious/noExplicitAny: the same, for tools of any input and output in one set.
export interface Tool<I = any, O = any> {
  /** For people, and for prompts (see describeTools). */
  description?: string | undefined;
  /**
   * What arguments must be. Checked on the host before execute() is called, which gets the schema's own output: with
   * defaults filled in and, from a Standard Schema, transformed. A program whose arguments do not fit gets
   * `TOOL_INPUT_INVALID`, which says which field and why. Default: any JSON object.
   */
  inputSchema?: Schema<I> | undefined;
  /**
   * What execute() must return; the program gets the schema's own output. What does not fit is `TOOL_RESULT_INVALID` to
   * the program. Default: anything that JSON can carry.
   */
  outputSchema?: Schema<O> | undefined;
  /** Default: 'write'. With `mode: 'inspect'`, a program has only tools that read. */
  effect?: ToolEffect | undefined;
  /** Answers one call. Called as a method of this object. */
  execute(input: I, context: ToolContext): O | Promise<O>;
  /**
   * Longest time that one call of execute() may take, milliseconds, from 1 to 2,147,483,647. Then the program gets
   * `TOOL_TIMEOUT`, `context.signal` is aborted with a TimeoutError, and what the handler still returns is dropped.
   * Default: the run's own limit.
   */
  timeoutMs?: number | undefined;
  /** Calls that one program may make of this tool, from 0; the next gets `TOOL_CALLS_EXCEEDED`. Default: no bound of its own. */
  maxCalls?: number | undefined;
}

/** Tools by the name that programs call them by: 1 to 256 bytes, no NUL; at most 512 of them. */
export type ToolSet = Record<string, ToolHandler | Tool>;

/**
 * Returns its argument: a place for TypeScript to infer the types of input and output, from Standard Schemas, or from
 * execute() itself.
 */
// biome-ignore lint/suspicious/noExplicitAny: where nothing says what the input is, as with JSON Schemas.
export function tool<I = any, O = any>(definition: Tool<I, O>): Tool<I, O> {
  return definition;
}
