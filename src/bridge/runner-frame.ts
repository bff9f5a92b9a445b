/**
 * Bytes from the runner to a typed frame. Checks everything about one frame that can be checked without knowing what
 * came before it; the session checks the rest. Must not keep state.
 */

import type { JsonScanner } from './json-scanner.js';
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

/**
 * `scanner`: one that has scanned what came of the frame before. Throws ProtocolViolation, naming the frame and the member that is
 * wrong.
 */
export function parseRunnerFrame(bytes: Buffer, executionId: string, scanner?: JsonScanner): RunnerFrame {
  const json = parseStrictJsonObject(bytes, scanner);
  if (json.value('version') !== PROTOCOL_VERSION) {
    throw new ProtocolViolation(`a frame's version is not ${PROTOCOL_VERSION}`);
  }
  switch (json.value('type')) {
    case 'tool.call':
      return toolCall(json);
    case 'log':
      return log(json);
    case 'execution.result':
      requireExecutionId(json, executionId);
      return executionResult(json);
    case 'ready':
      requireExecutionId(json, executionId);
      return ready(json);
    default:
      throw new ProtocolViolation('a frame has a type that no runner sends');
  }
}

function ready(json: JsonObjectText): ReadyFrame {
  const features = new Set<Feature>();
  const granted = json.value('features') ?? [];
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
    runnerVersion: text(json.value('runnerVersion'), 'ready', 'runnerVersion'),
    effectiveLimits: effectiveLimits(json.value('effectiveLimits')),
    features,
  };
}

function effectiveLimits(value: unknown): BridgeLimits {
  if (!isMembers(value)) throw wrong('ready', 'effectiveLimits', 'an object');
  const limits: BridgeLimits = { timeoutMs: 0, maxToolCalls: 0, maxResultBytes: 0 };
  for (const key of BASE_LIMIT_KEYS) {
    limits[key] = integer(value[key], 'ready', key, key === 'maxToolCalls' ? 0 : 1);
  }
  for (const key of EXTENDED_LIMIT_KEYS) {
    if (value[key] !== undefined) limits[key] = integer(value[key], 'ready', key, 0);
  }
  return limits;
}

function toolCall(json: JsonObjectText): ToolCallFrame {
  const argumentsText = json.text('arguments');
  if (argumentsText === undefined || !argumentsText.startsWith('{')) {
    throw wrong('tool.call', 'arguments', 'an object');
  }
  return {
    type: 'tool.call',
    id: integer(json.value('id'), 'tool.call', 'id', 1),
    name: text(json.value('name'), 'tool.call', 'name'),
    argumentsText,
  };
}

function log(json: JsonObjectText): LogFrame {
  const level = text(json.value('level'), 'log', 'level');
  if (!LOG_LEVEL_SET.has(level)) throw wrong('log', 'level', `one of ${LOG_LEVELS.join(' ')}`);
  const truncated = json.value('truncated') ?? false;
  if (typeof truncated !== 'boolean') throw wrong('log', 'truncated', 'a boolean');
  return {
    type: 'log',
    level: level as LogLevel,
    text: text(json.value('text'), 'log', 'text'),
    seq: integer(json.value('seq'), 'log', 'seq', 0),
    truncated,
  };
}

function executionResult(json: JsonObjectText): ExecutionResultFrame {
  const metrics = executionMetrics(json.value('metrics'));
  const warnings = executionWarnings(json.value('warnings'));
  const ok = json.value('ok');
  if (ok === true) {
    if (json.has('error')) {
      throw new ProtocolViolation('an execution.result frame with ok: true has an error');
    }
    const resultText = json.text('result');
    return {
      type: 'execution.result',
      ok: true,
      metrics,
      warnings,
      ...(resultText !== undefined && { resultText }),
    };
  }
  if (ok !== false) throw wrong('execution.result', 'ok', 'a boolean');
  if (json.has('result')) {
    throw new ProtocolViolation('an execution.result frame with ok: false has a result');
  }
  return { type: 'execution.result', ok: false, metrics, warnings, error: bridgeError(json.value('error')) };
}

function executionMetrics(value: unknown): BridgeMetrics {
  if (!isMembers(value)) throw wrong('execution.result', 'metrics', 'an object');
  const elapsedMs = value['elapsedMs'];
  // JSON has no other numbers than finite ones, but 1e999 reads as Infinity.
  if (typeof elapsedMs !== 'number' || !Number.isFinite(elapsedMs) || elapsedMs < 0) {
    throw wrong('execution.result', 'metrics.elapsedMs', 'a number of milliseconds');
  }
  const metrics: BridgeMetrics = {
    elapsedMs,
    toolCalls: integer(value['toolCalls'], 'execution.result', 'toolCalls', 0),
  };
  if (value['peakMemoryBytes'] !== undefined) {
    metrics.peakMemoryBytes = integer(value['peakMemoryBytes'], 'execution.result', 'peakMemoryBytes', 0);
  }
  const openToolCalls = value['openToolCalls'];
  // Not in the base, where a member of this name may mean anything.
  if (Number.isSafeInteger(openToolCalls) && Number(openToolCalls) >= 0) {
    metrics.openToolCalls = Number(openToolCalls);
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
  const kind = text(value['kind'], 'execution.result', 'kind');
  if (!ERROR_KIND_SET.has(kind)) {
    throw wrong('execution.result', 'error.kind', `one of ${BRIDGE_ERROR_KINDS.join(' ')}`);
  }
  const error: BridgeError = {
    kind: kind as BridgeErrorKind,
    message: text(value['message'], 'execution.result', 'message'),
  };
  for (const key of ['code', 'name', 'stack', 'path'] as const) {
    if (value[key] !== undefined) error[key] = text(value[key], 'execution.result', key);
  }
  const position = value['position'];
  if (position !== undefined) {
    if (!isMembers(position)) throw wrong('execution.result', 'error.position', 'an object');
    error.position = {
      line: integer(position['line'], 'execution.result', 'line', 1),
      column: integer(position['column'], 'execution.result', 'column', 1),
    };
  }
  if (kind === 'limit') {
    error.limit = integer(value['limit'], 'execution.result', 'limit', 0);
    error.attempted = integer(value['attempted'], 'execution.result', 'attempted', 1);
  }
  return error;
}

function requireExecutionId(json: JsonObjectText, executionId: string): void {
  if (json.value('executionId') !== executionId) {
    throw new ProtocolViolation('a frame has an executionId that is not the one of this execution');
  }
}

function text(value: unknown, frame: string, key: string): string {
  if (typeof value !== 'string') throw wrong(frame, key, 'a string');
  return value;
}

function integer(value: unknown, frame: string, key: string, least: number): number {
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
