/**
 * A thread that reads texts, one after the other, as its owner sees it: started with the first text, ended when there
 * was none for a while, and replaced when a text breaks it or takes too long. Does not keep the process alive.
 *
 * Why a thread: the stripper of types takes 180 to 260 ms to load and 18 ms for its first text, all synchronous, and no
 * bound on the size of a text bounds what one of its bytes costs. Starting the thread costs
 * its owner 4 ms, once; the resident set grows by 40 MB as long as it has the stripper.
 */
import { Worker } from 'node:worker_threads';
import { type Reading, type Submission, unread } from '../reading.js';
import type { ReadingAnswer, ReadingRequest } from './messages.js';

export interface ReadingThreadOptions {
  /** How long one text may take, milliseconds. Default: 10,000; 64 KiB of ordinary TypeScript take 50. */
  readMs?: number;
  /** The same for the first text of a thread, which has to load. Default: 15,000. */
  startMs?: number;
  /** How long the thread waits for another text before it ends. Default: 30,000. */
  idleMs?: number;
}

interface Waiting {
  submission: Submission;
  resolve(reading: Reading): void;
}

export class ReadingThread {
  readonly #readMs: number;
  readonly #startMs: number;
  readonly #idleMs: number;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #isNew = true;
  #current: Waiting | undefined;
  /** Of the current text, or of the idle thread. */
  #timer: NodeJS.Timeout | undefined;

  constructor({ readMs = 10_000, startMs = 15_000, idleMs = 30_000 }: ReadingThreadOptions = {}) {
    this.#readMs = readMs;
    this.#startMs = startMs;
    this.#idleMs = idleMs;
  }

  /** Never rejects: a text that cannot be read in time is passed on as it is. */
  read(submission: Submission): Promise<Reading> {
    return new Promise((resolve) => {
      this.#waiting.push({ submission, resolve });
      this.#next();
    });
  }

  /** Ends the thread; what it has not read is passed on as it is. It starts again with the next text. */
  close(): Promise<unknown> {
    const ended = this.#end();
    for (const { submission, resolve } of this.#waiting.splice(0)) resolve(unread(submission));
    return ended;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  #next(): void {
    if (this.#current !== undefined) return;
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      this.#timer = setTimeout(this.#onIdle, this.#idleMs).unref();
      return;
    }
    const worker = this.#start();
    const { text, language, normalize } = this.#current.submission;
    const request: ReadingRequest = { text, language, normalize };
    worker.postMessage(request);
    this.#timer = setTimeout(this.#onFailure, this.#isNew ? this.#startMs : this.#readMs).unref();
    this.#isNew = false;
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const file = new URL(`./main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
    const worker = new Worker(file, { name: 'wardenpool-reading' });
    const ifCurrent = (act: () => void) => () => {
      if (this.#worker === worker) act();
    };
    worker.on('message', (answer: ReadingAnswer) => ifCurrent(() => this.#onAnswer(answer))());
    worker.on('error', ifCurrent(this.#onFailure));
    worker.on('exit', ifCurrent(this.#onFailure));
    worker.unref();
    this.#worker = worker;
    this.#isNew = true;
    return worker;
  }

  #onAnswer(answer: ReadingAnswer): void {
    if (answer.type === 'broken') {
      this.#onFailure();
      return;
    }
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(answer.reading);
    this.#next();
  }

  /** The text took too long, or broke the thread. */
  readonly #onFailure = (): void => {
    void this.#end();
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
    current?.resolve(unread(current.submission));
    await worker?.terminate();
  }
}
