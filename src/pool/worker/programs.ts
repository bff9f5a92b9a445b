/**
 * The programs of a worker thread: reads each submitted text, and keeps what it was read as for the next run of the same
 * text, by the digest that a run needs anyway. Must not know runs or sandboxes.
 */
import { ProgramReader } from '../../source/reader.js';
import type { Reading, Submission } from '../../source/reading.js';
import { RecentTexts } from '../../source/recent-texts.js';
import type { RunTask } from '../messages.js';
import { sha256 } from './sha256.js';

/**
 * A text as submitted, and the program that runs. Kept for all runs of the text, whatever their tools.
 */
export interface Program {
  /** Of the text as submitted. */
  codeDigest: string;
  reading: Reading;
  /** Of the text that runs. */
  programDigest: string;
}

/** Texts of programs that are kept for each thread, bytes: some thousand programs of ordinary length. */
const MAX_KEPT_BYTES = 8_388_608;

export class Programs {
  readonly #reader = new ProgramReader();
  readonly #recent = new RecentTexts<Program>(MAX_KEPT_BYTES);
  /** Texts that are being read, so that runs of one text do not have it read twice. */
  readonly #pending = new Map<string, Promise<Program>>();

  /** See ProgramReader. */
  warmUp(): void {
    this.#reader.warmUp();
  }

  /** At once if the text is known, or cheap to read. The promise does not reject. */
  read({ code, language, normalize }: RunTask): Program | Promise<Program> {
    const codeDigest = sha256(code);
    const key = language === 'auto' && normalize ? codeDigest : `${codeDigest}/${language}/${normalize}`;
    return (
      this.#recent.get(key) ??
      this.#pending.get(key) ??
      this.#read(key, codeDigest, { text: code, language, normalize })
    );
  }

  close(): Promise<unknown> {
    return this.#reader.close();
  }

  #read(key: string, codeDigest: string, submission: Submission): Program | Promise<Program> {
    const keep = (reading: Reading): Program => {
      const isSame = reading.text === submission.text;
      const programDigest = isSame ? codeDigest : sha256(reading.text);
      const program = { codeDigest, reading, programDigest };
      // What has segments may share its characters with the submitted text, which then lives as long.
      this.#recent.set(key, program, reading.text.length + (isSame ? 0 : submission.text.length));
      return program;
    };
    const reading = this.#reader.read(submission);
    if (!(reading instanceof Promise)) return keep(reading);
    const pending = reading.then(keep).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }
}
