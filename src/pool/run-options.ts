/** The options of run(): their documentation and their checks. */
import { z } from 'zod';
import { LIMIT_OPTION_NAMES, limitsSchema, runLimits } from './limit-options.js';
import type { Limits } from './limits.js';
import { checkOptions } from './option-problems.js';
import type { LogEntry, ToolCallRecord } from './run-result.js';

export interface RunOptions {
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
  /** Called for each console call as it reaches the host. */
  onLog?: ((entry: LogEntry) => void) | undefined;
  /** Called for each tool call when its outcome is known. */
  onToolCall?: ((record: ToolCallRecord) => void) | undefined;
}

export interface RunSettings extends Omit<RunOptions, 'limits' | 'priority' | 'labels'> {
  limits: Limits;
  priority: number;
  labels: Record<string, string>;
}

function callback<F>() {
  return z.custom<F>((value) => typeof value === 'function', 'must be a function').optional();
}

const schema = z.strictObject({
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
  limits: limitsSchema.optional(),
  priority: z.number('must be a finite number').optional(),
  executionId: z
    .string('must be a string of 1 to 256 characters')
    .min(1, 'must be a string of 1 to 256 characters')
    .max(256, 'must be a string of 1 to 256 characters')
    .optional(),
  key: z.string('must be a string').optional(),
  labels: z.record(z.string(), z.string('must be a string'), 'must be an object of strings').optional(),
  onLog: callback<(entry: LogEntry) => void>(),
  onToolCall: callback<(record: ToolCallRecord) => void>(),
});

const LATER = ['mode', 'authorize', 'language', 'normalize', 'resultSchema', 'seed'];

const NAMES = {
  owner: 'run()',
  known: [...Object.keys(schema.shape), ...LIMIT_OPTION_NAMES],
  later: LATER,
};

/** Names under which a tool set may have nothing but an object with execute(). */
export const RUN_OPTION_NAMES: ReadonlySet<string> = new Set([...Object.keys(schema.shape), ...LATER]);

/** Throws InvalidOptionError. `pool`: the limits of the pool, defaults and ceilings at once. */
export function readRunOptions(options: unknown, pool: Limits): RunSettings {
  if (options === undefined) return { limits: pool, priority: 0, labels: {} };
  const { limits, priority = 0, labels = {}, ...rest } = checkOptions(schema, options, NAMES);
  return { ...rest, limits: runLimits(limits, pool), priority, labels };
}
