/**
 * JSON text to a value, as code-bridge-v1 wants it read: RFC 8259 to the letter, no key twice in one object, at most 512
 * levels. Written for the conformance suites alone, so that they share no reader with what they judge.
 */

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Deepest nesting of objects and arrays; the outermost is level 1. */
export const MAX_LEVELS = 512;

const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS: [string, JsonValue][] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class Reader {
  #at = 0;
  #levels = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonValue {
    const value = this.#value();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  /** A value with the white space on both sides of it. */
  #value(): JsonValue {
    this.#take(WHITE_SPACE);
    const value = this.#bareValue();
    this.#take(WHITE_SPACE);
    return value;
  }

  #bareValue(): JsonValue {
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') {
      if (++this.#levels > MAX_LEVELS) throw new SyntaxError(`it is nested deeper than ${MAX_LEVELS} levels`);
      const value = first === '{' ? this.#object() : this.#array();
      this.#levels--;
      return value;
    }
    if (first === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const number = this.#take(NUMBER);
    if (number === undefined) throw this.#unexpected();
    return Number(number);
  }

  #object(): JsonValue {
    const object: { [key: string]: JsonValue } = {};
    const keys = new Set<string>();
    this.#at++;
    this.#take(WHITE_SPACE);
    if (this.#skip('}')) return object;
    do {
      this.#take(WHITE_SPACE);
      const key = this.#string();
      if (keys.has(key)) throw new SyntaxError(`it has the key ${JSON.stringify(key)} twice in one object`);
      keys.add(key);
      this.#take(WHITE_SPACE);
      if (!this.#skip(':')) throw this.#unexpected();
      // An assignment to __proto__ would not make a key.
      const value = this.#value();
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    } while (this.#skip(','));
    if (!this.#skip('}')) throw this.#unexpected();
    return object;
  }

  #array(): JsonValue {
    const array: JsonValue[] = [];
    this.#at++;
    this.#take(WHITE_SPACE);
    if (this.#skip(']')) return array;
    do array.push(this.#value());
    while (this.#skip(','));
    if (!this.#skip(']')) throw this.#unexpected();
    return array;
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw this.#unexpected();
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    const literal = this.#text.slice(this.#at, end + 1);
    let value: unknown;
    try {
      value = JSON.parse(literal);
    } catch {
      throw this.#unexpected();
    }
    this.#at = end + 1;
    return value as string;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
  }

  #unexpected(): SyntaxError {
    const found = this.#text.slice(this.#at, this.#at + 20);
    return new SyntaxError(
      found === '' ? 'it ends too early' : `it has ${JSON.stringify(found)} at offset ${this.#at}`,
    );
  }
}

/** Throws SyntaxError, saying what "it", the text, has. */
export function parseStrictJson(text: string): JsonValue {
  return new Reader(text).whole();
}
