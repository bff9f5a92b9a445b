/**
 * Parses a text the way the engine is going to: as the body of a strict async function in a script. It is parsed inside
 * such a function, not with options that allow `return` outside of one, so that everything that depends on it
 * (`await`, `new.target`, HTML-like comments, `super`) is read as the engine reads it.
 */
import { type ExpressionStatement, type Node, type Program, parse, type Statement } from 'acorn';

const HEAD = '"use strict";async function __program__(){\n';
const TAIL = '\n}';

/** What the parser says about a text that it does not accept. */
export interface SyntaxProblem {
  message: string;
  /** Where in the text. */
  offset: number;
}

/** Statements of a program. Offsets of their nodes count from the start of the parsed text, by `offsetIn`. */
export interface ParsedBody {
  statements: Statement[];
  /** The text up to the first statement and behind the last one is blank but for comments. */
  start(node: Node): number;
  end(node: Node): number;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: SyntaxProblem };

/** The text as statements. */
export function parseBody(text: string): Parsed<ParsedBody> {
  return parseWrapped(text, HEAD, TAIL);
}

/** The text as one expression; the body that it comes in has the expression, in parentheses, as its only statement. */
export function parseExpression(text: string): Parsed<ParsedBody> {
  const parsed = parseWrapped(text, `${HEAD}(`, `\n)${TAIL}`);
  if (!parsed.ok) return parsed;
  const [statement, second] = parsed.value.statements;
  if (second === undefined && statement?.type === 'ExpressionStatement' && isWholeText(statement, text)) {
    return parsed;
  }
  return { ok: false, problem: { message: 'Unexpected token', offset: 0 } };
}

/** The parentheses around the text are a pair: it does not close the first and open the second. */
function isWholeText({ expression }: ExpressionStatement, text: string): boolean {
  return (
    expression.type === 'ParenthesizedExpression' &&
    expression.start === HEAD.length &&
    expression.end === HEAD.length + text.length + 3
  );
}

function parseWrapped(text: string, head: string, tail: string): Parsed<ParsedBody> {
  let program: Program;
  try {
    program = parse(head + text + tail, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowImportExportEverywhere: true,
      preserveParens: true,
    });
  } catch (error) {
    return { ok: false, problem: problemOf(error, text, head.length) };
  }
  const declaration = program.body[1];
  // A text that closes the function and goes on behind it is none: the engine refuses it too.
  if (program.body.length !== 2 || declaration?.type !== 'FunctionDeclaration') {
    return { ok: false, problem: { message: 'Unexpected token', offset: text.length } };
  }
  return {
    ok: true,
    value: {
      statements: declaration.body.body,
      start: (node) => node.start - head.length,
      end: (node) => node.end - head.length,
    },
  };
}

/** Nesting that exhausts the stack is a RangeError, or a SyntaxError of acorn's own: not understood, either way. */
function problemOf(error: unknown, text: string, headLength: number): SyntaxProblem {
  if (error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number') {
    const offset = Math.min(Math.max(error.pos - headLength, 0), text.length);
    // acorn puts its own line and column behind the message; they count the wrapper.
    return { message: error.message.replace(/ \(\d+:\d+\)$/, ''), offset };
  }
  if (error instanceof RangeError) return { message: 'The text is nested too deeply', offset: 0 };
  throw error;
}
