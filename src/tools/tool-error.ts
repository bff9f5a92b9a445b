/** The one error whose code and message a handler can hand to the program. */
import { types } from 'node:util';
import { describeValue } from './describe-value.js';

export interface ToolErrorOptions extends ErrorOptions {
  /** Default 'TOOL_FAILED'. */
  code?: string;
}

/**
 * Thrown by a handler to tell the program what went wrong: `message` and `code` reach it as an ordinary, catchable
 * Error. Any other error reaches it as TOOL_FAILED with a generic text, since messages may hold what a program must
 * not see; `cause` never leaves the host. The constructor throws a TypeError for a code in another place than `options.code`.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;

  constructor(message: string, options: ToolErrorOptions = {}) {
    checkOptions(options);
    super(message, options);
    this.code = options.code ?? 'TOOL_FAILED';
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
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(
      `the second argument of ToolError is ${describeValue(options)}: write new ToolError(message, { code: 'NOT_FOUND' })`,
    );
  }
  const { code } = options as { code?: unknown };
  if (code !== undefined && typeof code !== 'string') {
    throw new TypeError(
      `option code of ToolError is ${describeValue(code)}: it must be a string, such as 'NOT_FOUND'`,
    );
  }
}
