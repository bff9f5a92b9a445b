/**
 * Why a tool call has no result: what its program is told, and what the record says. A program is told no more than the
 * authors of tools meant it to know.
 */
import { NotJson } from '../tools/json-text.js';
import { type Checked, SchemaMismatch } from '../tools/schema-problem.js';
import { ToolError } from '../tools/tool-error.js';
import type { ToolCallOutcome } from './run-result.js';

/** Longest message and code of an error that are passed to a program, in UTF-16 code units. */
const MAX_MESSAGE_LENGTH = 2048;
const MAX_CODE_LENGTH = 128;
const GENERIC_MESSAGE = 'The tool failed.';

/**
 * Thrown where a call ends without a result, and for nobody but ToolCalls to catch. The record keeps its `cause`; itself, if nothing caused it but
 * a rule of the pool.
 */
export class CallRefusal extends Error {
  override readonly name = 'CallRefusal';

  constructor(
    readonly outcome: ToolCallOutcome,
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What a program is told. */
export interface Told {
  code: string;
  message: string;
}

/** Of a call beyond the tool's `maxCalls`. */
export function overQuota(maxCalls: number | undefined): CallRefusal {
  const times = maxCalls === 1 ? 'once' : `${maxCalls} times`;
  const message =
    maxCalls === 0
      ? 'A program may not call this tool.'
      : `A program may call this tool ${times}, and has done so.`;
  return new CallRefusal('denied', 'TOOL_CALLS_EXCEEDED', message);
}

/** Of the arguments of a call, by its tool's schema. */
export function acceptedInput(checked: Checked): unknown {
  if (checked.ok) return checked.value;
  const mismatch = new SchemaMismatch(checked.problems);
  const message = `The arguments do not fit the tool's schema: ${mismatch.message}.`;
  throw new CallRefusal('invalid', 'TOOL_INPUT_INVALID', message, { cause: mismatch });
}

/** Of what a handler returned, by its tool's schema. */
export function acceptedOutput(checked: Checked): unknown {
  if (checked.ok) return checked.value;
  const mismatch = new SchemaMismatch(checked.problems);
  const message = `The tool returned what does not fit its own schema: ${mismatch.message}.`;
  throw new CallRefusal('invalid', 'TOOL_RESULT_INVALID', message, { cause: mismatch });
}

/**
 * Whatever a handler, a schema or JSON threw, as the end of a call. Code and message of a ToolError reach the program;
 * of any other error only a generic text, unless `exposeMessages`. Never throws.
 */
export function refusalOf(error: unknown, exposeMessages: boolean): CallRefusal {
  if (isA(error, CallRefusal)) return error;
  if (isA(error, NotJson)) {
    const message = `The tool returned what JSON cannot carry: ${error.message}.`;
    return new CallRefusal('invalid', 'TOOL_RESULT_INVALID', message, { cause: error });
  }
  const { code, message } = toldBy(error) ?? {
    code: 'TOOL_FAILED',
    message: exposeMessages ? messageOf(error) : GENERIC_MESSAGE,
  };
  return new CallRefusal('failed', code, message, { cause: error });
}

/** What the program is told of a refusal, within bounds. */
export function told({ code, message }: CallRefusal): Told {
  return { code: bounded(code, MAX_CODE_LENGTH), message: bounded(message, MAX_MESSAGE_LENGTH) };
}

function toldBy(error: unknown): Told | undefined {
  if (!isA(error, ToolError)) return undefined;
  try {
    // A subclass may have made them anything.
    return { code: String(error.code), message: String(error.message) };
  } catch {
    return undefined;
  }
}

/** `instanceof`, for what may be a proxy that throws. */
function isA<T>(value: unknown, type: new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return GENERIC_MESSAGE;
  }
}

function bounded(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
