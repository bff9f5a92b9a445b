/**
 * Bytes from the runner to a typed frame. Checks everything about one frame that can be checked without knowing what
 * came before it; the session checks the rest. Must not keep state.
 */
import {
  BASE_LIMIT_KEYS,
  BRIDGE_ERROR_KINDS,
  type BridgeError,
  type BridgeErrorKind,
  type BridgeLimits,
  type BridgeMetrics,
  type BridgeWarning,
  EXTENDED_LIMIT_KEYS,
  type ExecutionResultFrame,
  FEATURES,
  type Feature,
  LOG_LEVELS,
  type LogFrame,
  type LogLevel,
  MAX_WARNINGS,
  PROTOCOL_VERSION,
  ProtocolViolation,
  type ReadyFrame,
  type RunnerFrame,
  type ToolCallFrame,
  WARNING_CODES,
} from './protocol.js';
import { type JsonObjectText, parseStrictJsonObject } from './strict-json.js';

type Members = Record<string, unknown>;

const FEATURE_SET: ReadonlySet<string> = new Set(FEATURES);
const LOG_LEVEL_SET: ReadonlySet<string> = new Set(LOG_LEVELS);
const ERROR_KIND_SET: ReadonlySet<string> = new Set(BRIDGE_ERROR_KINDS);

/** Throws ProtocolViolation, naming the frame and the member that is wrong. */
export function parseRunnerFrame(bytes: Buffer, executionId: string): RunnerFrame {
  const json = parseStrictJsonObject(bytes);
  const { value } = json;
  if (value['version'] !== PROTOCOL_VERSION) {
    throw new ProtocolViolation(`a frame's version is not ${PROTOCOL_VERSION}`);
  }
  switch (value['type']) {
    case 'tool.call':
      return toolCall(json);
    case 'log':
      return log(value);
    case 'execution.result':
      requireExecutionId(value, executionId);
      return executionResult(json);
    case 'ready':
      requireExecutionId(value, executionId);
      return ready(value);
    default:
      throw new ProtocolViolation('a frame has a type that no runner sends');
  }
}

function ready(frame: Members): ReadyFrame {
  const features = new Set<Feature>();
  const granted = frame['features'] ?? [];
  if (!Array.isArray(granted)) throw wrong('ready', 'features', 'an array');
  for (const feature of granted) {
    // Comparison with a closed list, so that the cast is a fact.
    if (typeof feature !== 'string' || !FEATURE_SET.has(feature)) {
      throw wrong('ready', 'features', 'a subset of the features that were asked for');
    }
    features.add(feature as Feature);
  }
  return {
    type: 'ready',
    runnerVersion: text(frame, 'ready', 'runnerVersion'),
    effectiveLimits: effectiveLimits(frame['effectiveLimits']),
    features,
  };
}

function effectiveLimits(value: unknown): BridgeLimits {
  if (!isMembers(value)) throw wrong('ready', 'effectiveLimits', 'an object');
  const limits: BridgeLimits = { timeoutMs: 0, maxToolCalls: 0, maxResultBytes: 0 };
  for (const key of BASE_LIMIT_KEYS) {
    limits[key] = integer(value, 'ready', key, key === 'maxToolCalls' ? 0 : 1);
  }
  for (const key of EXTENDED_LIMIT_KEYS) {
    if (value[key] !== undefined) limits[key] = integer(value, 'ready', key, 0);
  }
  return limits;
}

function toolCall(json: JsonObjectText): ToolCallFrame {
  const frame = json.value;
  const callArguments = frame['arguments'];
  const argumentsText = json.member('arguments');
  if (!isMembers(callArguments) || argumentsText === undefined) {
    throw wrong('tool.call', 'arguments', 'an object');
  }
  return {
    type: 'tool.call',
    id: integer(frame, 'tool.call', 'id', 1),
    name: text(frame, 'tool.call', 'name'),
    arguments: callArguments,
    argumentsText,
  };
}

function log(frame: Members): LogFrame {
  const level = text(frame, 'log', 'level');
  if (!LOG_LEVEL_SET.has(level)) throw wrong('log', 'level', `one of ${LOG_LEVELS.join(' ')}`);
  const truncated = frame['truncated'] ?? false;
  if (typeof truncated !== 'boolean') throw wrong('log', 'truncated', 'a boolean');
  return {
    type: 'log',
    level: level as LogLevel,
    text: text(frame, 'log', 'text'),
    seq: integer(frame, 'log', 'seq', 0),
    truncated,
  };
}

function executionResult(json: JsonObjectText): ExecutionResultFrame {
  const frame = json.value;
  const metrics = executionMetrics(frame['metrics']);
  const warnings = executionWarnings(frame['warnings']);
  const hasResult = Object.hasOwn(frame, 'result');
  const hasError = Object.hasOwn(frame, 'error');
  if (frame['ok'] === true) {
    if (hasError) throw new ProtocolViolation('an execution.result frame with ok: true has an error');
    const resultText = json.member('result');
    return {
      type: 'execution.result',
      ok: true,
      metrics,
      warnings,
      ...(resultText !== undefined && { resultText }),
    };
  }
  if (frame['ok'] !== false) throw wrong('execution.result', 'ok', 'a boolean');
  if (hasResult) throw new ProtocolViolation('an execution.result frame with ok: false has a result');
  return { type: 'execution.result', ok: false, metrics, warnings, error: bridgeError(frame['error']) };
}

function executionMetrics(value: unknown): BridgeMetrics {
  if (!isMembers(value)) throw wrong('execution.result', 'metrics', 'an object');
  const elapsedMs = value['elapsedMs'];
  // JSON has no other numbers than finite ones, but 1e999 reads as Infinity.
  if (typeof elapsedMs !== 'number' || !Number.isFinite(elapsedMs) || elapsedMs < 0) {
    throw wrong('execution.result', 'metrics.elapsedMs', 'a number of milliseconds');
  }
  const metrics: BridgeMetrics = { elapsedMs, toolCalls: integer(value, 'execution.result', 'toolCalls', 0) };
  if (value['peakMemoryBytes'] !== undefined) {
    metrics.peakMemoryBytes = integer(value, 'execution.result', 'peakMemoryBytes', 0);
  }
  return metrics;
}

/** Not in the base, where a member of this name may mean anything: what has another shape is left out, not refused. */
function executionWarnings(value: unknown): BridgeWarning[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_WARNINGS).flatMap((warning: unknown) => {
    if (!isMembers(warning)) return [];
    const { message } = warning;
    const code = WARNING_CODES.find((known) => known === warning['code']);
    return code !== undefined && typeof message === 'string' ? [{ code, message }] : [];
  });
}

function bridgeError(value: unknown): BridgeError {
  if (!isMembers(value)) throw wrong('execution.result', 'error', 'an object');
  const kind = text(value, 'execution.result', 'kind');
  if (!ERROR_KIND_SET.has(kind)) {
    throw wrong('execution.result', 'error.kind', `one of ${BRIDGE_ERROR_KINDS.join(' ')}`);
  }
  const error: BridgeError = {
    kind: kind as BridgeErrorKind,
    message: text(value, 'execution.result', 'message'),
  };
  for (const key of ['code', 'name', 'stack', 'path'] as const) {
    if (value[key] !== undefined) error[key] = text(value, 'execution.result', key);
  }
  const position = value['position'];
  if (position !== undefined) {
    if (!isMembers(position)) throw wrong('execution.result', 'error.position', 'an object');
    error.position = {
      line: integer(position, 'execution.result', 'line', 1),
      column: integer(position, 'execution.result', 'column', 1),
    };
  }
  if (kind === 'limit') {
    error.limit = integer(value, 'execution.result', 'limit', 0);
    error.attempted = integer(value, 'execution.result', 'attempted', 1);
  }
  return error;
}

function requireExecutionId(frame: Members, executionId: string): void {
  if (frame['executionId'] !== executionId) {
    throw new ProtocolViolation('a frame has an executionId that is not the one of this execution');
  }
}

function text(members: Members, frame: string, key: string): string {
  const value = members[key];
  if (typeof value !== 'string') throw wrong(frame, key, 'a string');
  return value;
}

function integer(members: Members, frame: string, key: string, least: number): number {
  const value = members[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
    throw wrong(frame, key, `an integer from ${least} upward`);
  }
  return value;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(frame: string, member: string, expected: string): ProtocolViolation {
  return new ProtocolViolation(`${member} of a ${frame} frame is not ${expected}`);
}
