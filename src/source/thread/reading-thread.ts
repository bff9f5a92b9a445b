/**
 * A thread that reads texts, one after the other, as its owner sees it: started with the first text, ended when there
 * was none for a while, and replaced at once when a text breaks it, takes too long, or is not wanted any more. Does not
 * keep the process alive.
 *
 * Why a thread: the stripper of types takes 180 to 260 ms to load and 18 ms for its first text, all synchronous, and no
 * bound on the size of a text bounds what one of its bytes costs. Starting the thread costs
 * its owner 4 ms, once; the resident set grows by 40 MB as long as it has the stripper.
 */
import { Worker } from 'node:worker_threads';
import { type Reading, type Submission, unread } from '../reading.js';
import type { ReadingAnswer, ReadingRequest, ReadingThreadData } from './messages.js';

export interface ReadingThreadOptions {
  /** How long one text may take from when the thread takes it up, milliseconds. Default: 1,000; 64 KiB of ordinary TypeScript take 50. */
  readMs?: number;
  /** How long the thread may take to load what it needs, and to take a text up. Default: 15,000. */
  startMs?: number;
  /** How long the thread waits for another text before it ends. Default: 30,000. */
  idleMs?: number;
}

/** A text that is being read, or waits for it. */
export interface PendingReading {
  /**
   * Never rejects: a text that breaks the thread, or takes it too long, is passed on as it is. Undefined: it was given up
   * or never taken up, so that nothing is known of the text.
   */
  readonly reading: Promise<Reading | undefined>;
  /**
   * Nobody waits for it any more. A text that is not taken up yet is not read. What the thread is reading is ended if
   * `isCancelled`, and the thread with it; otherwise it goes on, within its time. True if it is over.
   */
  giveUp(isCancelled: boolean): boolean;
}

interface Waiting {
  submission: Submission;
  resolve(reading: Reading | undefined): void;
}

export class ReadingThread {
  readonly #readMs: number;
  readonly #startMs: number;
  readonly #idleMs: number;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  /** The thread works on the current text, and has loaded everything. */
  #isTaken = false;
  /** Of the current text, or of the idle thread. */
  #timer: NodeJS.Timeout | undefined;

  constructor({ readMs = 1_000, startMs = 15_000, idleMs = 30_000 }: ReadingThreadOptions = {}) {
    this.#readMs = readMs;
    this.#startMs = startMs;
    this.#idleMs = idleMs;
  }

  read(submission: Submission): PendingReading {
    let resolve: Waiting['resolve'] = () => {};
    const reading = new Promise<Reading | undefined>((resolvePromise) => {
      resolve = resolvePromise;
    });
    const entry: Waiting = { submission, resolve };
    this.#waiting.push(entry);
    this.#next();
    return { reading, giveUp: (isCancelled) => this.#giveUp(entry, isCancelled) };
  }

  /** Ends the thread; what it has not read stays so. It starts again with the next text. */
  close(): Promise<unknown> {
    this.#isTaken = false;
    const ended = this.#end();
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
    return ended;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  #giveUp(entry: Waiting, isCancelled: boolean): boolean {
    const index = this.#waiting.indexOf(entry);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
      entry.resolve(undefined);
      return true;
    }
    if (this.#current !== entry || !isCancelled) return false;
    entry.resolve(undefined);
    // A thread that still loads does so for the next text as well; this one has its time all the same.
    if (this.#isTaken) this.#onFailure();
    return true;
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      this.#setTimer(this.#onIdle, this.#idleMs);
      return;
    }
    const worker = this.#worker ?? this.#start({ loadsStripper: false });
    const { text, language, normalize } = this.#current.submission;
    const request: ReadingRequest = { text, language, normalize };
    worker.postMessage(request);
    this.#isTaken = false;
    this.#setTimer(this.#onFailure, this.#startMs);
  }

  #start(workerData: ReadingThreadData): Worker {
    const file = new URL(`./main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
    const worker = new Worker(file, { name: 'wardenpool-reading', workerData });
    const ifCurrent = (act: () => void) => () => {
      if (this.#worker === worker) act();
    };
    worker.on('message', (answer: ReadingAnswer) => ifCurrent(() => this.#onAnswer(answer))());
    worker.on('error', ifCurrent(this.#onFailure));
    worker.on('exit', ifCurrent(this.#onFailure));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #setTimer(act: () => void, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms).unref();
  }

  #onAnswer(answer: ReadingAnswer): void {
    switch (answer.type) {
      case 'taken':
        this.#isTaken = true;
        this.#setTimer(this.#onFailure, this.#readMs);
        break;
      case 'loading':
        this.#isTaken = false;
        this.#setTimer(this.#onFailure, this.#startMs);
        break;
      case 'broken':
        this.#onFailure();
        break;
      case 'reading': {
        const current = this.#current;
        this.#current = undefined;
        current?.resolve(answer.reading);
        this.#next();
      }
    }
  }

  /** The text took too long, broke the thread, or is not wanted. The next thread loads before there is a text for it. */
  readonly #onFailure = (): void => {
    // Without a text, it was the thread that failed: another one would do the same.
    const isOfText = this.#current !== undefined;
    void this.#end();
    if (isOfText) this.#start({ loadsStripper: true });
    this.#next();
  };

  readonly #onIdle = (): void => {
    void this.#end();
  };

  /** The thread, and with it what it reads. */
  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(this.#isTaken ? unread(current.submission) : undefined);
    await worker?.terminate();
  }
}
