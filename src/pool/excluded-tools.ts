/** What is said about tools that a program wanted and does not have, because it may only read. */
import type { ToolEntry } from '../tools/tool-set.js';

const MAX_NAMES = 8;
const MAX_NAME_LENGTH = 64;
/** UTF-16 code units of a program that are searched: the main thread does it. */
const SEARCHED = 65_536;

/** Of the tools that `code` names, or undefined. */
export function excludedToolsText(code: string, excluded: readonly ToolEntry[]): string | undefined {
  const searched = code.slice(0, SEARCHED);
  const named = excluded.filter(({ name }) => mentions(searched, name));
  if (named.length === 0) return undefined;
  const names = named.slice(0, MAX_NAMES).map(({ name }) => JSON.stringify(name.slice(0, MAX_NAME_LENGTH)));
  if (named.length > MAX_NAMES) names.push(`${named.length - MAX_NAMES} more`);
  const bare = named.some(({ isBare }) => isBare)
    ? " A bare function counts as writing: one that only reads is written { effect: 'read', execute }."
    : '';
  return `With mode 'inspect' a program has only tools that read, and not ${names.join(', ')}.${bare}`;
}

/** As a word of its own, wherever it stands. */
function mentions(code: string, name: string): boolean {
  const isWord = (text: string) => /[\p{ID_Continue}$]/u.test(text);
  for (let at = code.indexOf(name); at !== -1; at = code.indexOf(name, at + 1)) {
    if (!isWord(code.slice(at - 1, at)) && !isWord(code.charAt(at + name.length))) return true;
  }
  return false;
}
