/**
 * JSON text to a value, in pieces: whoever drives it does something else in between. JSON.parse does the parsing, of some
 * tens of kilobytes at a time; here is only found where a long text can be cut. A text of 1 MB with 349,000 objects held the main
 * thread for 142 ms when it was parsed at once.
 */
import type { JsonValue } from './json-value.js';

/** UTF-16 code units of text that are parsed at once. */
export const PIECE_LENGTH = 32_768;

/** `text`: valid JSON, as it was checked before. Yields between two pieces, and returns the value. */
export function* parseInPieces(text: string): Generator<void, JsonValue> {
  if (text.length <= PIECE_LENGTH) return JSON.parse(text) as JsonValue;
  return yield* new PiecewiseParser(text, yield* findLarge(text)).parse();
}

/** The containers that are longer than a piece: where each begins and ends. */
type LargeContainers = ReadonlyMap<number, number>;

function* findLarge(text: string): Generator<void, LargeContainers> {
  const large = new Map<number, number>();
  const open: number[] = [];
  let nextStop = PIECE_LENGTH * 4; // to look for brackets is several times faster than to parse
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at) - 1;
        break;
      case '{':
      case '[':
        open.push(at);
        break;
      case '}':
      case ']': {
        const start = open.pop() ?? 0;
        if (at + 1 - start > PIECE_LENGTH) large.set(start, at + 1);
        break;
      }
    }
    if (at >= nextStop) {
      nextStop = at + PIECE_LENGTH * 4;
      yield;
    }
  }
  return large;
}

class PiecewiseParser {
  readonly #text: string;
  readonly #large: LargeContainers;

  constructor(text: string, large: LargeContainers) {
    this.#text = text;
    this.#large = large;
  }

  *parse(): Generator<void, JsonValue> {
    const start = this.#skipSpace(0);
    if (!this.#large.has(start)) return JSON.parse(this.#text) as JsonValue; // one long string, or spaces
    return yield* this.#container(start);
  }

  /** One that is large; what is in it is parsed in groups of small members, and large ones for themselves. */
  *#container(start: number): Generator<void, JsonValue> {
    const text = this.#text;
    const isObject = text[start] === '{';
    const value: JsonValue = isObject ? {} : [];
    const last = (this.#large.get(start) ?? text.length) - 1;
    let group = start + 1;
    let member = start + 1;
    let depth = 0;
    for (let at = start + 1; at < last; at++) {
      switch (text[at]) {
        case '"':
          at = endOfString(text, at) - 1;
          break;
        case '{':
        case '[': {
          const end = this.#large.get(at);
          if (end === undefined) {
            depth++;
            break;
          }
          // It has a member for itself: everything around it at this depth is small.
          this.#add(value, text.slice(group, member));
          const key = isObject ? this.#keyOf(member) : undefined;
          append(value, key, yield* this.#container(at));
          yield;
          at = this.#skipSpace(end);
          group = member = at + 1;
          break;
        }
        case '}':
        case ']':
          depth--;
          break;
        case ',':
          if (depth > 0) break;
          member = at + 1;
          if (member - group > PIECE_LENGTH) {
            this.#add(value, text.slice(group, at));
            group = member;
            yield;
          }
          break;
      }
    }
    if (group < last) this.#add(value, text.slice(group, last));
    return value;
  }

  /** Members as they stand between two brackets, with or without a comma after the last. */
  #add(value: JsonValue, members: string): void {
    const list = members.trimEnd();
    const complete = list.endsWith(',') ? list.slice(0, -1) : list;
    if (Array.isArray(value)) {
      for (const element of JSON.parse(`[${complete}]`) as JsonValue[]) value.push(element);
      return;
    }
    const part = JSON.parse(`{${complete}}`) as Record<string, JsonValue>;
    for (const key of Object.keys(part)) append(value, key, part[key] as JsonValue);
  }

  #keyOf(member: number): string {
    const start = this.#skipSpace(member);
    return JSON.parse(this.#text.slice(start, endOfString(this.#text, start))) as string;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (' \t\n\r'.includes(this.#text[at] ?? '-')) at++;
    return at;
  }
}

/** As JSON.parse does it: `__proto__` is a key like any other. */
function append(value: JsonValue, key: string | undefined, element: JsonValue): void {
  if (Array.isArray(value)) value.push(element);
  else if (key === '__proto__') {
    Object.defineProperty(value, key, {
      value: element,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else if (key !== undefined) (value as Record<string, JsonValue>)[key] = element;
}

/** The offset behind the string that begins with the quote at `start`. */
function endOfString(text: string, start: number): number {
  // Long strings are skipped at the speed of indexOf; a quote after an odd number of backslashes does not count.
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}
