/**
 * The vocabulary of code-bridge-v1: names, bounds and the shapes of its frames.
 * Must not know processes, sandboxes or handlers. See code-bridge-v1 for the contract itself.
 */

export const PROTOCOL_VERSION = 'code-bridge-v1';

/** Deepest nesting of objects and arrays in one frame; the frame itself is level 1. */
export const MAX_NESTING = 512;

/** Most tools that one `execute` frame may declare. */
export const MAX_TOOLS = 512;

/** Longest tool name, in UTF-8 bytes. */
export const MAX_TOOL_NAME_BYTES = 256;

/** The extensions of the base protocol that a host can ask for and a runner can grant. */
export const FEATURES = [
  'parallel-tools',
  'console',
  'limits',
  'undefined',
  'errors',
  'tool-paths',
  'timers',
  'web',
  'seed',
] as const;
export type Feature = (typeof FEATURES)[number];

export const BRIDGE_ERROR_KINDS = [
  'cancelled',
  'timeout',
  'javascript',
  'memory',
  'result',
  'result_limit',
  'limit',
  'internal',
] as const;
export type BridgeErrorKind = (typeof BRIDGE_ERROR_KINDS)[number];

export const LOG_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Limits that every peer understands. */
export interface BaseLimits {
  /** Wall time from `execute` on, milliseconds, at least 1. */
  timeoutMs: number;
  /** Tool calls of the whole execution, at least 0. */
  maxToolCalls: number;
  /** JSON text of the result, bytes, at least 1. */
  maxResultBytes: number;
}

/** Limits that need the feature `limits`. */
export interface ExtendedLimits {
  /** Engine heap, bytes. */
  memoryBytes: number;
  /** Engine stack, bytes: a ceiling, a runner may give less. */
  stackBytes: number;
  /** CPU time of the program, milliseconds. */
  cpuMs: number;
  /** Text of all console calls together, bytes. */
  maxLogBytes: number;
  /** Tool calls outstanding at once. */
  maxConcurrentToolCalls: number;
}

export type BridgeLimits = BaseLimits & Partial<ExtendedLimits>;

export const BASE_LIMIT_KEYS = ['timeoutMs', 'maxToolCalls', 'maxResultBytes'] as const;
export const EXTENDED_LIMIT_KEYS = [
  'memoryBytes',
  'stackBytes',
  'cpuMs',
  'maxLogBytes',
  'maxConcurrentToolCalls',
] as const;

/** Outstanding calls of a runner with `parallel-tools` that was given no `maxConcurrentToolCalls`. */
export const DEFAULT_CONCURRENT_TOOL_CALLS = 16;

export interface ReadyFrame {
  type: 'ready';
  runnerVersion: string;
  effectiveLimits: BridgeLimits;
  features: ReadonlySet<Feature>;
}

export interface ToolCallFrame {
  type: 'tool.call';
  id: number;
  name: string;
  /** The same as JSON text, for whoever passes it on. */
  argumentsText: string;
}

export interface LogFrame {
  type: 'log';
  level: LogLevel;
  text: string;
  seq: number;
  truncated: boolean;
}

/** What a runner says went wrong, bounded and typed, and otherwise its own word. */
export interface BridgeError {
  kind: BridgeErrorKind;
  message: string;
  code?: string;
  name?: string;
  stack?: string;
  /** Place in the result, for kind `result`. */
  path?: string;
  /** In the submitted source, from 1. */
  position?: { line: number; column: number };
  limit?: number;
  attempted?: number;
}

/** What a program should be told beside its outcome, such as a rejection that nothing handled. */
/** What a runner may warn of; anything else is ignored. */
export const WARNING_CODES = ['UNHANDLED_REJECTION'] as const;

export interface BridgeWarning {
  code: (typeof WARNING_CODES)[number];
  message: string;
}

/** Most warnings that are taken from one execution. */
export const MAX_WARNINGS = 16;

export interface BridgeMetrics {
  /** Milliseconds, as the runner measured them. */
  elapsedMs: number;
  toolCalls: number;
  /** Largest engine heap, bytes; only from runners that report it. */
  peakMemoryBytes?: number;
  /** Calls that the program had made and that were not settled for it, those included that were never sent; likewise. */
  openToolCalls?: number;
}

export type ExecutionResultFrame = {
  type: 'execution.result';
  metrics: BridgeMetrics;
  warnings: readonly BridgeWarning[];
} & (
  | {
      ok: true;
      /** JSON text of the result; absent: the program returned `undefined`. */
      resultText?: string;
    }
  | { ok: false; error: BridgeError }
);

export type RunnerFrame = ReadyFrame | ToolCallFrame | LogFrame | ExecutionResultFrame;

/** The runner broke code-bridge-v1. Whatever it says from here on is worth nothing: stop it. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}
