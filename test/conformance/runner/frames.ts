/** What a runner may say: its frames as types, and each checked by itself, member by member. */
import { isMembers, type Members, VERSION } from '../wire/frames.js';
import type { JsonValue } from '../wire/strict-json.js';

export interface RunnerError {
  kind: string;
  message: string;
  code?: string;
  limit?: number;
  attempted?: number;
  name?: string;
  stack?: string;
  position?: { line: number; column: number };
}

/** A frame that `frameOf` has accepted; which members it has follows from its type. */
export interface RunnerFrame {
  type: 'ready' | 'tool.call' | 'log' | 'execution.result';
  members: Members;
  executionId?: string;
  runnerVersion?: string;
  effectiveLimits?: Record<string, number>;
  features?: string[];
  id?: number;
  name?: string;
  arguments?: Members;
  ok?: boolean;
  result?: JsonValue;
  error?: RunnerError;
  metrics?: { elapsedMs: number; toolCalls: number };
  level?: string;
  text?: string;
  seq?: number;
  truncated?: boolean;
}

export const BASE_LIMITS = ['maxToolCalls', 'maxResultBytes', 'timeoutMs'] as const;
const KINDS = ['cancelled', 'timeout', 'javascript', 'memory', 'result', 'result_limit', 'limit', 'internal'];
const LEVELS = ['log', 'info', 'warn', 'error', 'debug'];

type Test = (value: JsonValue | undefined) => boolean;

const isString: Test = (value) => typeof value === 'string';
const isBoolean: Test = (value) => typeof value === 'boolean';
const isWhole =
  (least: number): Test =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
const isOneOf =
  (choices: readonly string[]): Test =>
  (value) =>
    typeof value === 'string' && choices.includes(value);
const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const isDuration: Test = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isStrings: Test = (value) => Array.isArray(value) && value.every(isString);

type Shape = Record<string, Test | [Shape]>;

const ERROR: Shape = {
  kind: isOneOf(KINDS),
  message: isString,
  code: optional(isString),
  name: optional(isString),
  stack: optional(isString),
};
const POSITION: Shape = { line: isWhole(1), column: isWhole(1) };
const QUOTA: Shape = {
  code: isOneOf(['TOOL_CALL_LIMIT_EXCEEDED']),
  limit: isWhole(0),
  attempted: isWhole(1),
};

const SHAPES: Record<RunnerFrame['type'], Shape> = {
  ready: {
    executionId: isString,
    runnerVersion: isString,
    effectiveLimits: [{ maxToolCalls: isWhole(0), maxResultBytes: isWhole(1), timeoutMs: isWhole(1) }],
    features: optional(isStrings),
  },
  'tool.call': { id: isWhole(1), name: isString, arguments: isMembers },
  log: {
    level: isOneOf(LEVELS),
    text: isString,
    seq: isWhole(0),
    truncated: optional(isBoolean),
  },
  'execution.result': {
    executionId: isString,
    ok: isBoolean,
    metrics: [{ elapsedMs: isDuration, toolCalls: isWhole(0) }],
  },
};

function requireShape(members: Members, shape: Shape, path: string): void {
  for (const [key, test] of Object.entries(shape)) {
    const value = members[key];
    const inner = Array.isArray(test) ? test[0] : undefined;
    if (inner !== undefined && isMembers(value)) requireShape(value, inner, `${path}.${key}`);
    else if (inner !== undefined || !(test as Test)(value)) {
      throw new Error(`${path}.${key} is ${value === undefined ? 'missing' : JSON.stringify(value)}`);
    }
  }
}

function requireOutcome(members: Members): void {
  const has = (key: string): boolean => Object.hasOwn(members, key);
  if (members['ok'] === true) {
    if (has('error')) throw new Error('execution.result has ok: true and an error');
    return;
  }
  if (has('result')) throw new Error('execution.result has ok: false and a result');
  const error = members['error'];
  if (!isMembers(error)) throw new Error('execution.result has ok: false and no error');
  requireShape(error, ERROR, 'execution.result.error');
  if (error['kind'] === 'limit') requireShape(error, QUOTA, 'execution.result.error');
  if (isMembers(error['position']))
    requireShape(error['position'], POSITION, 'execution.result.error.position');
}

/** Throws an error that names the member which is wrong. Members that the contract does not know are left alone. */
export function frameOf(members: Members): RunnerFrame {
  const { version, type } = members;
  if (version !== VERSION) throw new Error(`version is ${JSON.stringify(version)}`);
  if (typeof type !== 'string' || !Object.hasOwn(SHAPES, type)) {
    throw new Error(`type is ${JSON.stringify(type)}, which no runner sends`);
  }
  const known = type as RunnerFrame['type'];
  requireShape(members, SHAPES[known], known);
  if (known === 'execution.result') requireOutcome(members);
  // The shape was checked just now; a member of another type's name is not looked at.
  return { ...(members as object), type: known, members };
}
