/**
 * What a tool is, as its author writes it, and what a handler is told about a call.
 * Must not know workers or processes.
 */

/** What a handler knows about the call that it answers. */
export interface ToolContext {
  /** Aborted when the run ends before this call did: aborted, timed out, or settled without awaiting it. */
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
 * Answers calls of one tool. `input` is the JSON object that the program passed. What it returns, or resolves to, goes
 * to the program as JSON; what it throws becomes an error there (see ToolError).
 */
// biome-ignore lint/suspicious/noExplicitAny: a handler declares the input it expects; the program decides what comes.
export type ToolHandler = (input: any, context: ToolContext) => unknown;

/** Whether a tool only reads. Unknown tools count as writing. */
export type ToolEffect = 'read' | 'write';

// biome-ignore lint/suspicious/noExplicitAny: the same, for tools of any input and output in one set.
export interface Tool<I = any, O = any> {
  /** For people, and for prompts. */
  description?: string;
  /** Default: 'write'. */
  effect?: ToolEffect;
  execute(input: I, context: ToolContext): O | Promise<O>;
}

/** Tools by the name that programs call them by: 1 to 256 bytes, no NUL; at most 512 of them. */
export type ToolSet = Record<string, ToolHandler | Tool>;

/** Returns its argument: a place for TypeScript to infer input and output. */
export function tool<I, O>(definition: Tool<I, O>): Tool<I, O> {
  return definition;
}
