/**
 * The programs of a worker thread: reads each submitted text, and keeps what it was read as for the next run of the same
 * text, by the digest that a run needs anyway. Must not know runs or sandboxes.
 */
import { type PendingReading, ProgramReader } from '../../source/reader.js';
import { type Reading, type Submission, unread } from '../../source/reading.js';
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

/** A text that is being read, so that runs of one text do not have it read twice. */
interface SharedReading {
  pending: PendingReading;
  program: Promise<Program>;
  /** How many runs wait for it. */
  runs: number;
}

/** The program of one run, whose text is being read. */
export class PendingProgram {
  /** Does not reject. */
  readonly program: Promise<Program>;
  readonly #unread: Program;
  readonly #leave: (isCancelled: boolean) => void;
  readonly #timer: NodeJS.Timeout;
  #resolve: (program: Program) => void = () => {};
  #isOver = false;

  /** `asItIs`: what runs when it is not read in `timeoutMs`. `leave`: called if the run does not wait to the end. */
  constructor(
    shared: Promise<Program>,
    asItIs: Program,
    timeoutMs: number,
    leave: (isCancelled: boolean) => void,
  ) {
    this.#unread = asItIs;
    this.#leave = leave;
    this.program = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#timer = setTimeout(() => this.#giveUp(false), timeoutMs);
    void shared.then((program) => this.#end(program));
  }

  /** The run is not wanted any more: its text is passed on as it is. Idempotent. */
  cancel(): void {
    this.#giveUp(true);
  }

  #giveUp(isCancelled: boolean): void {
    if (this.#isOver) return;
    this.#end(this.#unread);
    this.#leave(isCancelled);
  }

  #end(program: Program): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#resolve(program);
  }
}

export class Programs {
  readonly #reader = new ProgramReader();
  readonly #recent = new RecentTexts<Program>(MAX_KEPT_BYTES);
  readonly #shared = new Map<string, SharedReading>();

  /** See ProgramReader. */
  warmUp(): void {
    this.#reader.warmUp();
  }

  /** At once if the text is known, or cheap to read. Otherwise within the time limit of the run, or as it is. */
  read({ code, language, normalize, limits }: RunTask): Program | PendingProgram {
    const codeDigest = sha256(code);
    const key = language === 'auto' && normalize ? codeDigest : `${codeDigest}/${language}/${normalize}`;
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const submission: Submission = { text: code, language, normalize };
    const shared = this.#shared.get(key) ?? this.#read(key, codeDigest, submission);
    if (!('pending' in shared)) return shared;
    shared.runs++;
    const asItIs = { codeDigest, reading: unread(submission), programDigest: codeDigest };
    return new PendingProgram(shared.program, asItIs, limits.timeoutMs, (isCancelled) => {
      if (--shared.runs === 0 && shared.pending.giveUp(isCancelled)) this.#forget(key, shared);
    });
  }

  close(): Promise<unknown> {
    return this.#reader.close();
  }

  #read(key: string, codeDigest: string, submission: Submission): Program | SharedReading {
    const keep = (reading: Reading): Program => {
      const isSame = reading.text === submission.text;
      const programDigest = isSame ? codeDigest : sha256(reading.text);
      const program = { codeDigest, reading, programDigest };
      // What has segments may share its characters with the submitted text, which then lives as long.
      this.#recent.set(key, program, reading.text.length + (isSame ? 0 : submission.text.length));
      return program;
    };
    const pending = this.#reader.read(submission);
    if (!('giveUp' in pending)) return keep(pending);
    const program = pending.reading.then((reading) => {
      this.#forget(key, shared);
      // What broke the thread, or took it too long, is kept as well: it is passed on at once the next time.
      return reading === undefined
        ? { codeDigest, reading: unread(submission), programDigest: codeDigest }
        : keep(reading);
    });
    const shared: SharedReading = { pending, program, runs: 0 };
    this.#shared.set(key, shared);
    return shared;
  }

  #forget(key: string, shared: SharedReading): void {
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
  }
}
