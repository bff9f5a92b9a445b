/** wardenpool: runs programs that a model wrote, each in a sandboxed process of its own. */

export type { Receipt } from './executor/receipt.js';
export type { Authorization, Authorize } from './pool/authorization.js';
export { type DescribeResultOptions, describeResult } from './pool/describe-result.js';
export { type DescribeToolsOptions, describeTools } from './pool/describe-tools.js';
export {
  AbortError,
  InvalidOptionError,
  InvalidToolError,
  type Missing,
  PoolClosedError,
  PoolError,
  QueueFullError,
  QueueTimeoutError,
  SandboxUnavailableError,
  WorkerLostError,
} from './pool/errors.js';
export { DEFAULT_LIMITS, type Limits } from './pool/limits.js';
export { createPool, type Pool } from './pool/pool.js';
export type { PoolEvents, PoolWarning } from './pool/pool-events.js';
export type { PoolOptions } from './pool/pool-options.js';
export type { PoolStats, ThreadStats } from './pool/pool-stats.js';
export type { RunOptions } from './pool/run-options.js';
export type {
  LogEntry,
  RunError,
  RunErrorKind,
  RunResult,
  RunUsage,
  RunWarning,
  ToolCall,
  ToolCallOutcome,
  ToolCallRecord,
} from './pool/run-result.js';
export type { JsonValue } from './tools/json-value.js';
export type { AiSdkSchema, JsonSchema, Schema } from './tools/schema.js';
export {
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolHandler,
  type ToolSet,
  tool,
} from './tools/tool.js';
export { ToolError, type ToolErrorOptions } from './tools/tool-error.js';
