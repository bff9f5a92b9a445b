/** Places in a value, as error messages write them: `$.items[3].total`. */

export type ValuePath = readonly (string | number)[];

/** Longest path that is written, in UTF-16 code units; keys come from programs. */
const MAX_LENGTH = 256;

/** Numbers are indices. Beyond 256 characters the path is cut, and ends in `…`. */
export function pathText(path: ValuePath): string {
  let text = '$';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    if (text.length > MAX_LENGTH) return `${text.slice(0, MAX_LENGTH - 1)}…`;
  }
  return text;
}
