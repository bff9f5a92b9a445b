/** The one error whose code and message a handler can hand to the program. */

export interface ToolErrorOptions extends ErrorOptions {
  /** Default 'TOOL_FAILED'. */
  code?: string;
}

/**
 * Thrown by a handler to tell the program what went wrong: `message` and `code` reach it as an ordinary, catchable
 * Error. Any other error reaches it as TOOL_FAILED with a generic text, since messages may hold what a program must
 * not see; `cause` never leaves the host.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: string;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options);
    this.code = options.code ?? 'TOOL_FAILED';
  }
}
