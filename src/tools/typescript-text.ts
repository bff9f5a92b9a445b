/** Words of TypeScript that hold texts of others: names, strings and comments, out of which no text can get. */

/** A string literal, on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** The name of a property or method, quoted where it has to be. */
export function propertyName(name: string): string {
  // A method called `new` without quotes would be a construct signature.
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'new' ? name : quoted(name);
}

/** An identifier for a type, in PascalCase; never empty, and not in the style of any keyword. */
export function typeName(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return /^[A-Z]/.test(name) ? name : `T${name}`;
}

/** A documentation comment; no lines if there is nothing to say. */
export function commentLines(text: string): string[] {
  const lines = text
    .replaceAll('*/', '*\\/')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not get through.
    .map((line) => line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ').trim());
  while (lines.at(-1) === '') lines.pop();
  while (lines[0] === '') lines.shift();
  if (lines.length === 0) return [];
  if (lines.length === 1) return [`/** ${lines[0]} */`];
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'];
}

export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
