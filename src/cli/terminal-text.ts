/**
 * Text of programs that nobody vouches for, on its way to a terminal: control characters become visible, since a terminal
 * would take them for orders (to move the cursor, to change its title, to answer into our stdin).
 */

/** Every control character, which is C0, DEL and C1, but newline and tab, as in `\x1b`. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (control) => `\\x${hexadecimal(control)}`);
}

/** The same on one line. */
export function oneLine(text: string): string {
  return visible(text.toWellFormed()).replaceAll('\n', '\\n');
}

/** Indented JSON text with no control character but newlines. JSON.stringify itself leaves DEL and C1 as they are. */
export function printableJson(value: unknown): string {
  const text = JSON.stringify(value, jsonSafe, 2);
  return text.replace(/[^\P{Cc}\n]/gu, (control) => `\\u00${hexadecimal(control)}`);
}

function hexadecimal(control: string): string {
  return control.charCodeAt(0).toString(16).padStart(2, '0');
}

/** What JSON has no form for: the errors of tools, above all, in the records of their calls. */
function jsonSafe(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message };
  return typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function'
    ? String(value)
    : value;
}
