/**
 * The brace that a program has too many. It closes the function that the program runs in, and the engine reports what comes
 * of that: the brace of that function, behind the end of the text.
 */
import { tokenizer, tokTypes } from 'acorn';
import { MAX_LENGTH } from './expression-at.js';
import type { Failure } from './failure.js';

/** `offset`: that the engine gives. Undefined: the error is about something else. */
export function strayBrace({ name, message }: Failure, text: string, offset: number | undefined) {
  if (name !== 'SyntaxError' || !/'\}'/.test(message) || text.length > MAX_LENGTH) return undefined;
  if (offset !== undefined && offset < text.trimEnd().length && text[offset] !== '}') return undefined;
  return firstUnopened(text);
}

function firstUnopened(text: string): number | undefined {
  let open = 0;
  try {
    for (const { type, start } of tokenizer(text, { ecmaVersion: 'latest' })) {
      if (type === tokTypes.braceL || type === tokTypes.dollarBraceL) open++;
      if (type === tokTypes.braceR && --open < 0) return start;
    }
  } catch (error) {
    // What follows is no sequence of tokens: nothing is known of its braces.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return undefined;
}
