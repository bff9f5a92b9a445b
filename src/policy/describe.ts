/** Places and values of a policy, as error messages write them. */
import { types } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';

const MAX_TEXT = 60;

/** `filesystem.rules[3].path`; the empty text for the policy itself. */
export function memberPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (typeof key === 'string' && /^[A-Za-z_$][\w$]*$/.test(key)) text += text === '' ? key : `.${key}`;
    else text += `[${shortText(String(key))}]`;
  }
  return text;
}

/** A text in quotes, cut after 60 characters. */
export function shortText(text: string): string {
  return text.length <= MAX_TEXT ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, MAX_TEXT))}…`;
}

/** Numbers and texts as they are, everything else by its kind. Never throws. */
export function describeJson(value: unknown): string {
  if (types.isProxy(value)) return 'a Proxy';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return shortText(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** `did you mean X?`, or all that there are. */
export function suggestion(written: unknown, known: readonly string[]): string {
  if (typeof written === 'string' && written.length <= MAX_TEXT) {
    const nearest = closest(written, known);
    const near = written.startsWith(nearest) || nearest.startsWith(written);
    if (near || distance(written, nearest) <= Math.max(2, nearest.length / 3))
      return `did you mean ${nearest}?`;
  }
  return known.length === 1 ? `it must be ${known[0]}` : `write one of ${known.join(', ')}`;
}
