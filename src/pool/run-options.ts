/** The options of run(): their documentation and their checks. */
import { z } from 'zod';
import { textMembers } from '../options/text-members.js';
import type { JsonValue } from '../tools/json-value.js';
import type { Schema } from '../tools/schema.js';
import { type SchemaCheck, SchemaProblem, schemaCheck } from '../tools/schema-check.js';
import type { Authorize } from './authorization.js';
import { InvalidOptionError } from './errors.js';
import { LIMIT_OPTION_NAMES, limitsSchema, runLimits } from './limit-options.js';
import type { Limits } from './limits.js';
import { checkOptions } from './option-problems.js';
import type { LogEntry, ToolCallRecord } from './run-result.js';

/** `T`: what the result is by `resultSchema`; without one, the caller's word. */
export interface RunOptions<T = JsonValue | undefined> {
  /** Aborts the run, queued or running: run() rejects with AbortError at once, and the program is stopped. */
  signal?: AbortSignal | undefined;
  /** Up to the pool's limits, which are the defaults. */
  limits?: { [name in keyof Limits]?: number | undefined } | undefined;
  /** Among the runs that wait for a slot, higher ones start first. Default: 0. */
  priority?: number | undefined;
  /** Unique among the runs in flight. Default: a UUID of version 7. */
  executionId?: string | undefined;
  /** The tenant, as handlers see it. */
  key?: string | undefined;
  /** Echoed to handlers and in the receipt; never in metrics. */
  labels?: Record<string, string> | undefined;
  /**
   * 'inspect': the program has only the tools whose effect is 'read'; a bare function counts as 'write'. The others do not
   * exist for it. Default: 'apply'.
   */
  mode?: 'inspect' | 'apply' | undefined;
  /**
   * Asked before each handler, with the arguments as the program sent them, once they have passed the tool's schema.
   * `{ deny: reason }` makes the call `TOOL_DENIED` to the program, with the reason. Anything else but 'allow', an error
   * included, denies too, without a reason, and is told by the pool's 'warning' event.
   */
  authorize?: Authorize | undefined;
  /**
   * What the result must be, `undefined` included; checked on the host. `value` is the schema's own output. A mismatch is a
   * failed run, kind 'result', with path and message.
   */
  resultSchema?: Schema<T> | undefined;
  /** Makes `Math.random`, `Date.now` and `crypto` of the program reproducible: 1 to 256 characters. Default: they are not. */
  seed?: string | undefined;
  /** `auto`, the default: JavaScript; TypeScript only if that does not parse. Of TypeScript the types are taken out. */
  language?: 'auto' | 'js' | 'ts' | undefined;
  /**
   * Make of the text the program that a reader would expect, by the rules in docs/programs.md. False: run it as it is, the
   * body of an async function. Default: true.
   */
  normalize?: boolean | undefined;
  /** Called for each console call as it reaches the host. */
  onLog?: ((entry: LogEntry) => void) | undefined;
  /** Called for each tool call when its outcome is known. */
  onToolCall?: ((record: ToolCallRecord) => void) | undefined;
}

export interface RunSettings
  extends Omit<RunOptions, 'limits' | 'priority' | 'labels' | 'resultSchema' | 'language' | 'normalize'> {
  limits: Limits;
  priority: number;
  labels: Record<string, string>;
  resultCheck?: SchemaCheck;
  language: 'auto' | 'js' | 'ts';
  normalize: boolean;
}

function callback<F>() {
  return z.custom<F>((value) => typeof value === 'function', 'must be a function').optional();
}

/** Not only by its prototype: an object that was given that has nothing of a signal. */
function isAbortSignal(value: unknown): boolean {
  try {
    return value instanceof AbortSignal && typeof value.aborted === 'boolean';
  } catch {
    return false;
  }
}

const schema = z.strictObject({
  signal: z.custom<AbortSignal>(isAbortSignal, 'must be an AbortSignal').optional(),
  limits: limitsSchema.optional(),
  priority: z.number('must be a finite number').optional(),
  executionId: z
    .string('must be a string of 1 to 256 characters')
    .min(1, 'must be a string of 1 to 256 characters')
    .max(256, 'must be a string of 1 to 256 characters')
    .optional(),
  key: z.string('must be a string').optional(),
  labels: textMembers({ form: 'an object of strings' }),
  mode: z.enum(['inspect', 'apply'], "must be 'inspect' or 'apply'").optional(),
  authorize: callback<Authorize>(),
  resultSchema: z.custom<NonNullable<unknown>>(() => true).optional(),
  seed: z
    .string('must be a string of 1 to 256 characters')
    .min(1, 'must be a string of 1 to 256 characters')
    .max(256, 'must be a string of 1 to 256 characters')
    .optional(),
  language: z.enum(['auto', 'js', 'ts'], "must be 'auto', 'js' or 'ts'").optional(),
  normalize: z.boolean('must be true or false').optional(),
  onLog: callback<(entry: LogEntry) => void>(),
  onToolCall: callback<(record: ToolCallRecord) => void>(),
});

const NAMES = {
  owner: 'run()',
  known: [...Object.keys(schema.shape), ...LIMIT_OPTION_NAMES],
  otherWords: {
    id: 'executionId',
    invocationId: 'executionId',
    tenant: 'key',
    schema: 'resultSchema',
    abortSignal: 'signal',
    tools: 'the second argument',
  },
  functions: 'tools are the second argument of run(), options the third',
};

/** Names under which a tool set may have nothing but an object with execute(). */
export const RUN_OPTION_NAMES: ReadonlySet<string> = new Set(Object.keys(schema.shape));

/** Throws InvalidOptionError. `pool`: the limits of the pool, defaults and ceilings at once. */
export function readRunOptions(options: unknown, pool: Limits): RunSettings {
  if (options === undefined) {
    return { limits: pool, priority: 0, labels: {}, language: 'auto', normalize: true };
  }
  const checked = checkOptions(schema, options, NAMES);
  const {
    limits,
    priority = 0,
    labels = {},
    language = 'auto',
    normalize = true,
    resultSchema,
    ...rest
  } = checked;
  const settings = { ...rest, limits: runLimits(limits, pool), priority, labels, language, normalize };
  return resultSchema === undefined ? settings : { ...settings, resultCheck: resultCheck(resultSchema) };
}

function resultCheck(resultSchema: unknown): SchemaCheck {
  try {
    return schemaCheck(resultSchema);
  } catch (cause) {
    if (!(cause instanceof SchemaProblem)) throw cause;
    throw new InvalidOptionError(`option resultSchema of run() ${cause.message}`, {}, false, { cause });
  }
}
