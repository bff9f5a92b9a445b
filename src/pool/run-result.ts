/** What a run gives back. Types only, and public. */

import type { Receipt } from '../executor/receipt.js';
import type { JsonValue } from '../tools/json-value.js';
import type { ToolEffect } from '../tools/tool.js';

/** One console call of the program. */
export interface LogEntry {
  level: 'log' | 'info' | 'warn' | 'error' | 'debug';
  text: string;
  /** Increasing within a run; gaps mean nothing. */
  seq: number;
  /** Milliseconds since the program was handed over, by the host's clock. */
  ms: number;
}

export interface ToolCall {
  /** From 1, in the order of the program's calls. */
  id: number;
  name: string;
  effect: ToolEffect;
  /** What the program passed; not what a handler may have made of it. */
  arguments: JsonValue;
  /** SHA-256, in hexadecimal, of the arguments as JSON with sorted keys. */
  argumentsDigest: string;
}

/**
 * `ok`: the program was given the result. `failed`: the handler threw, or a schema did. `denied`: by `authorize`, or by the
 * tool's `maxCalls`. `timeout`: the tool's own limit. `invalid`: the arguments, or the result, do not fit their schema, or
 * JSON, or a frame. `abandoned`: the run ended first.
 */
export type ToolCallOutcome = 'ok' | 'failed' | 'denied' | 'timeout' | 'invalid' | 'abandoned';

export interface ToolCallRecord extends ToolCall {
  outcome: ToolCallOutcome;
  /** What the program was given. */
  result?: JsonValue;
  /** The original error, or what is wrong with arguments or result. It stays on the host. */
  error?: unknown;
  /** From the call to its outcome, milliseconds. */
  ms: number;
}

export type RunErrorKind =
  | 'cancelled'
  | 'timeout'
  | 'javascript'
  | 'memory'
  | 'result'
  | 'result_limit'
  | 'limit'
  | 'internal'
  | 'violation'
  | 'crashed';

/** Why a program has no result. */
export interface RunError {
  kind: RunErrorKind;
  message: string;
  /** Of the error that was thrown, for kind `javascript`. */
  name?: string;
  code?: string;
  /** Frames of the program only. */
  stack?: string;
  /** What to do about it, where there is something to say. */
  hint?: string;
  /** Place in the result, as in `$.items[3].total`. */
  path?: string;
  /** In the text that was submitted, from 1. */
  position?: { line: number; column: number; sourceLine: string };
}

export interface RunUsage {
  /** Waiting for a slot, milliseconds. */
  queueMs: number;
  /** Making the sandbox, milliseconds; 0 for one that was warm. */
  spawnMs: number;
  /** From handing the program over to its last word, milliseconds. */
  runMs: number;
  /** CPU time of the sandboxed process as the kernel counted it, milliseconds. */
  cpuMs: number;
  /**
   * Largest heap by the engine's own word, bytes, not to be relied on; where the engine says nothing, the largest
   * resident set of the process by the kernel's.
   */
  peakMemoryBytes: number;
  toolCalls: number;
}

/** How the submitted text was read. docs/programs.md has the rules. */
export interface ProgramReading {
  language: 'js' | 'ts';
  rule: string;
}

export interface RunWarning {
  /**
   * `TOOL_CALL_NOT_AWAITED`: the program settled while calls were open, or waited inside it to be made. `UNHANDLED_REJECTION`: a
   * promise was rejected, and nothing ever asked for it. `TOOL_EXCLUDED_IN_INSPECT`: the program failed, and its text names tools
   * that it does not have because they write.
   */
  code: string;
  message: string;
}

export type RunResult<T = JsonValue | undefined> = (
  | { ok: true; value: T }
  | { ok: false; error: RunError }
) & {
  executionId: string;
  logs: LogEntry[];
  /** True if console output beyond the limit was left out. */
  logsTruncated: boolean;
  /** In the order of the calls; kept on failure too. */
  toolCalls: ToolCallRecord[];
  /** What does not make the run fail, and is most likely a slip. */
  warnings: RunWarning[];
  program: ProgramReading;
  usage: RunUsage;
  receipt: Receipt;
};
