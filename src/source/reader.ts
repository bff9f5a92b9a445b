/**
 * Reads submitted texts without holding the loop of its thread: small JavaScript at once, everything else on a thread
 * of its own. Keeps no reading: that is for whoever has a key for it.
 */
import { type Reading, read, type Submission, unread } from './reading.js';
import { type PendingReading, ReadingThread, type ReadingThreadOptions } from './thread/reading-thread.js';

export type { PendingReading } from './thread/reading-thread.js';

/**
 * Longest text that is read on the caller's loop, UTF-16 code units. Of 60 pathological texts of 8,192 the worst (labels,
 * names of groups and of variables, all of which the parser compares pairwise) took 10 ms of CPU time when the parser
 * was compiled and 70 ms when it was not, on a machine with 8 times the load that it can bear; half the length is a
 * third of that. 500 bytes of ordinary code take 90 µs, 8 KiB 3 ms.
 */
const MAX_LENGTH_HERE = 4_096;

/**
 * Longest text that is read at all. 64 KiB of ordinary code take 50 ms, on the reading thread; the worst of the
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
  readonly #thread: ReadingThread;

  /** `options`: of its thread. */
  constructor(options: ReadingThreadOptions = {}) {
    this.#thread = new ReadingThread(options);
  }

  /**
   * Reads a small text, so that the first program finds the parser compiled: that costs 13 ms, which hold up nobody
   * while the thread starts.
   */
  warmUp(): void {
    this.read({ text: SAMPLE, language: 'auto', normalize: true });
  }

  /** At once if that is cheap. */
  read(submission: Submission): Reading | PendingReading {
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
