/** The arguments of run(), checked: what a run needs to be accepted. Must not know the pool's state. */
import { readToolSet, ToolSetProblem, type ToolTable } from '../tools/tool-set.js';
import { InvalidOptionError, InvalidToolError } from './errors.js';
import { newExecutionId } from './execution-id.js';
import type { Limits } from './limits.js';
import { RUN_OPTION_NAMES, type RunSettings, readRunOptions } from './run-options.js';

export interface RunRequest {
  executionId: string;
  code: string;
  tools: ToolTable;
  settings: RunSettings;
}

/** Throws InvalidOptionError or InvalidToolError. `limits`: those of the pool. */
export function readRunRequest(code: unknown, tools: unknown, options: unknown, limits: Limits): RunRequest {
  if (typeof code !== 'string') {
    throw new InvalidOptionError('the first argument of run() is the program: it must be a string');
  }
  const table = readTools(tools);
  const settings = readRunOptions(options, limits);
  return { executionId: settings.executionId ?? newExecutionId(), code, tools: table, settings };
}

function readTools(tools: unknown): ToolTable {
  try {
    return readToolSet(tools, RUN_OPTION_NAMES);
  } catch (error) {
    if (error instanceof ToolSetProblem) throw new InvalidToolError(error.message);
    throw error;
  }
}
