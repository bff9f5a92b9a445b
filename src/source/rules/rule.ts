/**
 * The names of the rules by which a text becomes a program, as `result.program.rule` has them. docs/programs.md says of
 * each what is submitted and what runs.
 */
export type Rule = BodyRule | `fence+${BodyRule}`;

/** What became of the text itself, or of what is in its Markdown fence. */
export type BodyRule =
  /** Run as it is, and as nobody looked at it: `normalize: false`. */
  | 'verbatim'
  /** Not understood, or too large to look at: run as it is, so that the engine's message is shown. */
  | 'unparsed'
  /** Statements that return their result, or have none. */
  | 'statements'
  /** The value of the last statement, an expression, is the result. */
  | 'last-expression'
  /** One expression, and nothing else. */
  | 'expression'
  /** One function, or functions of which one is `main`: called and awaited. */
  | 'function'
  /** What the text exports by default: called if it is a function, and awaited. */
  | 'default-export';
