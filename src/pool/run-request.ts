/** The arguments of run(), checked: what a run needs to be accepted. Must not know the pool's state. */
import { describeValue } from '../tools/describe-value.js';
import { readToolSet, type ToolEntry, ToolSetProblem, type ToolTable } from '../tools/tool-set.js';
import { InvalidOptionError, InvalidToolError } from './errors.js';
import { newExecutionId } from './execution-id.js';
import type { Limits } from './limits.js';
import { RUN_OPTION_NAMES, type RunSettings, readRunOptions } from './run-options.js';

export interface RunRequest {
  executionId: string;
  code: string;
  tools: ToolTable;
  settings: RunSettings;
  /** Tools that the program does not have because they write. */
  excluded: readonly ToolEntry[];
}

/** Throws InvalidOptionError or InvalidToolError. `limits`: those of the pool. */
export function readRunRequest(code: unknown, tools: unknown, options: unknown, limits: Limits): RunRequest {
  if (typeof code !== 'string') {
    throw new InvalidOptionError(
      `the first argument of run() is ${describeValue(code)}: it must be the program, a string`,
    );
  }
  const all = readTools(tools);
  const settings = readRunOptions(options, limits);
  const executionId = settings.executionId ?? newExecutionId();
  if (settings.mode !== 'inspect') return { executionId, code, tools: all, settings, excluded: [] };
  const excluded = [...all.values()].filter(({ effect }) => effect !== 'read');
  return { executionId, code, tools: readingTools(all), settings, excluded };
}

/** Those that a program has with `mode: 'inspect'`. */
export function readingTools(tools: ToolTable): ToolTable {
  return new Map([...tools].filter(([, { effect }]) => effect === 'read'));
}

/** Throws InvalidToolError. */
export function readTools(tools: unknown): ToolTable {
  try {
    return readToolSet(tools, RUN_OPTION_NAMES);
  } catch (error) {
    if (error instanceof ToolSetProblem)
      throw new InvalidToolError(error.message, {}, false, { cause: error.cause });
    throw error;
  }
}
