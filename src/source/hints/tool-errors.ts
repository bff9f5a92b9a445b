/** Hints for errors of tools that a program did not catch, by their code. */
import type { Failure } from './failure.js';

const HINTS: Readonly<Record<string, string>> = {
  TOOL_FAILED:
    'Check the arguments, or catch the error and go on without this call: try { … } catch (error) { … }.',
  TOOL_INPUT_INVALID: 'Pass one object that has the fields the tool asks for, as the message says.',
  TOOL_RESULT_INVALID: 'The tool is at fault, not the program: do without it, or ask it for something else.',
  TOOL_RESULT_TOO_LARGE: 'Ask the tool for less: a filter, fewer fields, or one page at a time.',
  TOOL_TIMEOUT: 'Ask the tool for less, or catch the error and go on without it.',
  TOOL_CALLS_EXCEEDED: 'Keep what the tool returned, and do not call it again.',
  TOOL_DENIED: 'This call is not allowed: do without it, and do not try it again.',
};

export function toolErrorHint({ code }: Failure): string | undefined {
  return code === undefined ? undefined : HINTS[code];
}
