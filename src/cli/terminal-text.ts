/**
 * Text of programs that nobody vouches for, on its way to a terminal: control characters become visible, since a terminal
 * would take them for orders (to move the cursor, to change its title, to answer into our stdin), or, as those of bidirectional text, show
 * what is beside them in another order. And its lines are told from ours.
 */
import { insideLine } from '../pool/inside-line.js';

/**
 * C0, DEL and C1 but newline and tab; format characters, which have no looks of their own, but the two joiners that Persian, Indic scripts
 * and emoji are written with; separators of lines and paragraphs.
 */
const UNSEEN = /[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|[\u2028\u2029]/gu;

/** Every character that is not seen, but newline and tab, as in `\x1b` or `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const digits = hexadecimal(character);
    return digits.length === 2 ? `\\x${digits}` : `\\u{${digits}}`;
  });
}

/** The same below a line of ours: lines after the first are indented, so that none of them looks like one of ours. */
export function visibleInside(text: string): string {
  return insideLine(visible(text));
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text.toWellFormed()).replaceAll('\n', '\\n');
}

/** Indented JSON text with no character that is not seen but newlines. JSON.stringify itself escapes C0 alone. */
export function printableJson(value: unknown): string {
  const text = JSON.stringify(value, jsonSafe, 2);
  return text.replace(UNSEEN, (character) =>
    // By UTF-16 code units, as JSON has it.
    character.replace(/./gs, (unit) => `\\u${hexadecimal(unit).padStart(4, '0')}`),
  );
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0');
}

/** What JSON has no form for: the errors of tools, above all, in the records of their calls. */
function jsonSafe(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message };
  return typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function'
    ? String(value)
    : value;
}
