/**
 * Reads submitted texts without holding the loop of its thread: small JavaScript at once, everything else on a thread
 * of its own. Keeps no reading: that is for whoever has a key for it.
 */
import { type Reading, read, type Submission, unread } from './reading.js';
import { ReadingThread } from './thread/reading-thread.js';

/**
 * Longest text that is read on the caller's loop, UTF-16 code units. Measured on a loaded 2-core machine: 8 KiB of
 * ordinary code take 1 ms, and 7 ms by a parser that has never run; of 60 pathological texts of this length the worst
 * (one regular expression of named groups in alternatives, whose names the parser compares pairwise) takes 10 ms.
 */
const MAX_LENGTH_HERE = 8_192;

/**
 * Longest text that is read at all. Of 64 KiB ordinary code takes 30 ms, on the reading thread; the worst of the
 * pathological texts, whose cost is quadratic, 0.6 s.
 */
const MAX_LENGTH = 65_536;

/** A program with something of everything, for the parser to be compiled with. */
const SAMPLE = `const list = await tools['a.b']({ id: 1, name: \`x\${2}\` });
for (const { id, ...rest } of list) if (id?.x ?? !rest) { console.log(id); } else break;
try { [1].map((n) => n * 2); } catch (error) { throw new Error('x'); }
async function f(a = 1) { return /x/.test(a) ? [a] : {}; }
f()`;

export class ProgramReader {
  readonly #thread = new ReadingThread();

  /**
   * Reads a small text, so that the first program finds the parser compiled: that costs 5 to 20 ms, which here hold up
   * nobody if it is done while the thread starts.
   */
  warmUp(): void {
    this.read({ text: SAMPLE, language: 'auto', normalize: true });
  }

  /** At once if that is cheap. The promise does not reject. */
  read(submission: Submission): Reading | Promise<Reading> {
    const { text } = submission;
    if (text.length > MAX_LENGTH) return unread(submission);
    const reading =
      text.length > MAX_LENGTH_HERE && submission.normalize ? undefined : read(submission, undefined);
    return reading ?? this.#thread.read(submission);
  }

  close(): Promise<unknown> {
    return this.#thread.close();
  }
}
