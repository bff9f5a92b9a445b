/** The one error whose code and message a handler can hand to the program. */
import { types } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { describeThrown, describeValue, isPlainObject } from './describe-value.js';

export interface ToolErrorOptions extends ErrorOptions {
  /** Default 'TOOL_FAILED'. */
  code?: string;
}

/**
 * Thrown by a handler to tell the program what went wrong: `message` and `code` reach it as an ordinary, catchable
 * Error. Any other error reaches it as TOOL_FAILED with a generic text, since messages may hold what a program must
 * not see; `cause` never leaves the host. The constructor throws a TypeError for a code in another place than `options.code`, and
 * for an option that does not exist.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;

  constructor(message: string, options: ToolErrorOptions = {}) {
    checkReadable(options);
    super(message, options);
    this.code = options.code ?? 'TOOL_FAILED';
  }
}

const OPTIONS = ['code', 'cause'];

function checkReadable(options: unknown): void {
  try {
    checkOptions(options);
  } catch (cause) {
    if (cause instanceof TypeError) throw cause;
    throw new TypeError(`the options of ToolError cannot be read: ${describeThrown(cause)}`, { cause });
  }
}

/** What would be lost without a word. */
function checkOptions(options: unknown): void {
  if (typeof options === 'string') {
    const code = describeValue(options);
    throw new TypeError(
      `the second argument of ToolError is ${code}: write new ToolError(message, { code: ${code} })`,
    );
  }
  if (types.isNativeError(options)) {
    throw new TypeError(
      'the second argument of ToolError is an error: write new ToolError(message, { cause: error })',
    );
  }
  if (typeof options !== 'object' || options === null || !isPlainObject(options)) {
    throw new TypeError(
      `the second argument of ToolError is ${describeValue(options)}: write new ToolError(message, { code: 'NOT_FOUND' })`,
    );
  }
  const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
  if (unknown !== undefined) {
    const nearest = closest(unknown, OPTIONS);
    const hint =
      distance(unknown, nearest) <= 2 ? `did you mean ${nearest}?` : `there are ${OPTIONS.join(' and ')}`;
    throw new TypeError(`ToolError has no option ${describeValue(unknown)}: ${hint}`);
  }
  const { code } = options as { code?: unknown };
  if (code !== undefined && typeof code !== 'string') {
    throw new TypeError(
      `option code of ToolError is ${describeValue(code)}: it must be a string, such as 'NOT_FOUND'`,
    );
  }
}
