/** describeResult(): what came of a run, as a text for the model that wrote the program. */
import { types } from 'node:util';
import { z } from 'zod';
import { describeValue } from '../tools/describe-value.js';
import { boundedHead, boundedLines } from './bounded-text.js';
import { InvalidOptionError, PoolError } from './errors.js';
import { insideLine } from './inside-line.js';
import { checkOptions } from './option-problems.js';
import type { LogEntry, RunError, RunResult } from './run-result.js';

export interface DescribeResultOptions {
  /** Longest text, bytes of UTF-8, from 512. Default: 16,384. */
  maxBytes?: number | undefined;
}

const MESSAGE = 'must be an integer from 512 upward';
const schema = z.strictObject({ maxBytes: z.int(MESSAGE).min(512, MESSAGE).optional() });
const NAMES = { owner: 'describeResult()', known: Object.keys(schema.shape) };

const DEFAULT_MAX_BYTES = 16_384;
/** Of all there is room for, what logs and warnings have at least, if they need it. */
const WARNING_SHARE = 1 / 8;
const LOG_SHARE = 1 / 3;

/**
 * Says to a model what happened: the value as JSON, or the error with its kind, place, source line and hint; then what the
 * program logged; then warnings. Of an error that run() rejected with: what could not be done, whether to try again, and what was
 * logged until then. Lines of the program's own texts are indented after the first, so that none looks like one of these. Beyond `maxBytes`, a value is cut at its end and logs in their middle, and both say so.
 * Throws InvalidOptionError for options, for a promise and for any other error; and nothing for any result.
 */
export function describeResult(
  run: RunResult<unknown> | PoolError,
  options: DescribeResultOptions = {},
): string {
  const { maxBytes = DEFAULT_MAX_BYTES } = checkOptions(schema, options, NAMES);
  if (types.isNativeError(run) && run instanceof PoolError) return describeRejection(run, maxBytes);
  refuseSlips(run);
  try {
    return describe(run, maxBytes);
  } catch {
    return 'The program ended, and its result cannot be shown.\n';
  }
}

/** The two that callers pass by a slip. */
function refuseSlips(run: unknown): void {
  const isPromise = types.isPromise(run);
  if (!isPromise && !types.isNativeError(run)) return;
  const what = isPromise ? 'a promise' : `an error that is not run()'s, ${describeValue(run.message)}`;
  const advice = isPromise
    ? 'await it first, as in describeResult(await pool.run(code, tools))'
    : 'pass what run() resolved to, or the PoolError that it rejected with';
  throw new InvalidOptionError(`the first argument of describeResult() is ${what}: ${advice}`);
}

function describeRejection(error: PoolError, maxBytes: number): string {
  const { code, message, logs, toolCalls, retryable } = error;
  const calls = `${toolCalls.length} tool ${toolCalls.length === 1 ? 'call' : 'calls'}`;
  const advice = retryable
    ? 'No tool was called: the same program may be run again.\n'
    : `${toolCalls.length === 0 ? '' : `It made ${calls}, which may have had effects. `}Running it again as it is may not help.\n`;
  const what = boundedHead(
    `The program has no result (${code}): ${insideLine(message)}\n`,
    Math.floor(maxBytes / 4),
  );
  return compose(what + advice, { logs, logsTruncated: false, warnings: [] }, maxBytes);
}

function describe(run: RunResult<unknown>, maxBytes: number): string {
  return compose(run.ok ? valueText(run.value) : errorText(run.error, maxBytes), run, maxBytes);
}

type Remarks = Pick<RunResult<unknown>, 'logs' | 'logsTruncated' | 'warnings'>;

/** What came of the run, and what is to be said besides, within `maxBytes`. */
function compose(outcome: string, remarks: Remarks, maxBytes: number): string {
  const title = logTitle(remarks);
  const lines = remarks.logs.map(logLine);
  const warnings = remarks.warnings
    .map(({ code, message }) => `Warning ${code}: ${insideLine(message)}\n`)
    .join('');
  const warningPart = boundedHead(warnings, Math.floor(maxBytes * WARNING_SHARE));
  const left = maxBytes - Buffer.byteLength(warningPart);
  const logBytes = Buffer.byteLength(title) + lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  const forLogs = Math.min(logBytes, Math.floor(left * LOG_SHARE));
  const outcomePart = boundedHead(outcome, left - forLogs);
  const room = left - Buffer.byteLength(outcomePart) - Buffer.byteLength(title);
  const logPart = lines.length === 0 ? '' : title + boundedLines(lines, room);
  return outcomePart + logPart + warningPart;
}

function valueText(value: unknown): string {
  if (value === undefined) return 'The program succeeded, and returned nothing.\n';
  // What a resultSchema made of a result need not be JSON.
  try {
    return `The program succeeded. Its result:\n${JSON.stringify(value) ?? String(value)}\n`;
  } catch {
    return 'The program succeeded, and its result cannot be shown.\n';
  }
}

/** The message is cut before the place and the hint are. */
function errorText(error: RunError, maxBytes: number): string {
  const { kind, name, code, message, path, position, hint } = error;
  const title = [kind, ...(code === undefined ? [] : [code])].join(', ');
  const said = insideLine(`(${title}): ${name === undefined ? '' : `${name}: `}${message}`);
  const what = `The program failed ${said}\n`;
  const lines: string[] = [];
  if (path !== undefined) lines.push(`In the result, at ${insideLine(path)}.`);
  if (position !== undefined) {
    const { line, column, sourceLine } = position;
    const source = excerpt(sourceLine, column);
    lines.push(
      `At line ${line}, column ${column}:`,
      `  ${insideLine(source.text)}`,
      `  ${' '.repeat(source.caret)}^`,
    );
  }
  if (hint !== undefined) lines.push(`Hint: ${insideLine(hint)}`);
  return boundedHead(what, Math.floor(maxBytes / 4)) + lines.map((line) => `${line}\n`).join('');
}

/** As much of a line, before and after the place, as a reader needs. */
const EXCERPT = 100;

function excerpt(line: string, column: number): { text: string; caret: number } {
  const start = Math.max(0, column - 1 - EXCERPT);
  const text = line.slice(start, column - 1 + EXCERPT).replaceAll('\t', ' ');
  const before = start > 0 ? '…' : '';
  const after = line.length > column - 1 + EXCERPT ? '…' : '';
  return {
    text: `${before}${text}${after}`,
    caret: before.length + Math.min(column - 1 - start, text.length),
  };
}

function logTitle({ logs, logsTruncated }: Remarks): string {
  const cut = logsTruncated ? ', the first that fit its limit' : '';
  return `It logged ${logs.length} ${logs.length === 1 ? 'entry' : 'entries'}${cut}:\n`;
}

function logLine({ level, text }: LogEntry): string {
  return `[${level}] ${insideLine(text)}\n`;
}
