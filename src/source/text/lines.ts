/**
 * Lines of a text as ECMAScript counts them: LF, CR, CRLF, U+2028 and U+2029 each end one. Lines and columns count from
 * 1, columns in UTF-16 code units, as the engine's positions do. Must not know what the text means.
 */

/** A place in a text, for a reader. */
export interface Place {
  line: number;
  column: number;
}

/** Longest source line that is shown with an error, code units. Of a longer one the part around the place is shown. */
const MAX_SOURCE_LINE_LENGTH = 200;

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** Where each line of a text begins. Made for texts with an error only: it reads all of the text. */
export class Lines {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (const end of text.matchAll(LINE_END)) this.#starts.push(end.index + end[0].length);
  }

  get count(): number {
    return this.#starts.length;
  }

  /** The offset of a place; undefined if the text has no such line. A column beyond the line is its end. */
  offsetOf({ line, column }: Place): number | undefined {
    const start = this.#starts[line - 1];
    if (start === undefined) return undefined;
    return Math.min(start + Math.max(column, 1) - 1, this.#endOf(line));
  }

  placeOf(offset: number): Place {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** The line that a place is in, without its end, cut to what a reader can use. */
  sourceLine({ line, column }: Place): string {
    const start = this.#starts[line - 1];
    if (start === undefined) return '';
    const text = this.#text.slice(start, this.#endOf(line));
    if (text.length <= MAX_SOURCE_LINE_LENGTH) return text;
    const from = Math.max(
      0,
      Math.min(column - 1 - MAX_SOURCE_LINE_LENGTH / 2, text.length - MAX_SOURCE_LINE_LENGTH),
    );
    const part = text.slice(from, from + MAX_SOURCE_LINE_LENGTH);
    return `${from > 0 ? '…' : ''}${part}${from + part.length < text.length ? '…' : ''}`;
  }

  /** Where the line ends, its end not included. */
  #endOf(line: number): number {
    const next = this.#starts[line];
    if (next === undefined) return this.#text.length;
    return this.#text.startsWith('\r\n', next - 2) ? next - 2 : next - 1;
  }
}
