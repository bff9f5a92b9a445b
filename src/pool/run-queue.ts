/**
 * Admission: which runs wait for a slot and for how long, and which have one. Must not know workers, nor what a run
 * does with its slot.
 */
import PQueue from 'p-queue';
import type { PoolRun } from './pool-run.js';

export interface RunQueueOptions {
  /** Slots. */
  concurrency: number;
  /** Runs that may wait. */
  maxQueue: number;
  /** Longest wait, milliseconds. */
  queueTimeoutMs: number | undefined;
}

export interface RunQueueListener {
  /** Uses the slot; it is free again when the promise settles. Must not reject. Returns what settles the run. */
  execute(run: PoolRun): Promise<(() => void) | undefined>;
  /** The run's signal was aborted, before or after it got its slot. */
  onAbort(run: PoolRun, reason: unknown): void;
  /** The run waited too long. */
  onLate(run: PoolRun, queueTimeoutMs: number): void;
  /** The first run has to wait; and, after that, the last one no longer does. */
  onNeedsDrain(): void;
  onDrain(): void;
}

/** What has to be undone when a run is over. */
interface Place {
  run: PoolRun;
  /** Takes the run out of the queue. Only runs that can leave it one by one have it: p-queue's price for it is high. */
  gate?: AbortController;
  timer?: NodeJS.Timeout;
  onAbort?: () => void;
}

export class RunQueue {
  readonly #options: RunQueueOptions;
  readonly #listener: RunQueueListener;
  readonly #queue: PQueue;
  /** By executionId: everything that waits or has a slot. */
  readonly #places = new Map<string, Place>();
  #drainWaiters: (() => void)[] = [];
  #needsDrain = false;

  constructor(options: RunQueueOptions, listener: RunQueueListener) {
    this.#options = options;
    this.#listener = listener;
    this.#queue = new PQueue({ concurrency: options.concurrency });
  }

  /** Runs that wait. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Runs that have a slot. */
  get running(): number {
    return this.#queue.pending;
  }

  /** True when the next run would have to wait, and may not. */
  get isFull(): boolean {
    return this.#queue.pending >= this.#options.concurrency && this.#queue.size >= this.#options.maxQueue;
  }

  has(executionId: string): boolean {
    return this.#places.has(executionId);
  }

  admit(run: PoolRun): void {
    const place: Place = { run };
    this.#places.set(run.executionId, place);
    this.#watch(place);
    const { priority } = run.settings;
    this.#queue
      .add(
        () => this.#start(place),
        place.gate === undefined ? { priority } : { priority, signal: place.gate.signal },
      )
      .then(
        // Only now is the slot free again: whoever awaits the result may send the next run at once.
        (settle) => this.#over(place, settle),
        () => this.#over(place),
      );
    if (!run.isStarted && !this.#needsDrain) {
      this.#needsDrain = true;
      this.#listener.onNeedsDrain();
    }
  }

  /** Takes a run out that has no slot yet and was aborted or late. */
  leave(run: PoolRun): void {
    this.#places.get(run.executionId)?.gate?.abort();
  }

  /** Takes all runs out that have no slot yet. */
  clear(): void {
    this.#queue.clear();
    for (const place of [...this.#places.values()]) {
      if (!place.run.isStarted) this.#over(place);
    }
  }

  /** Every run that waits or has a slot. */
  runs(): PoolRun[] {
    return Array.from(this.#places.values(), ({ run }) => run);
  }

  /** Resolves when nothing waits and nothing has a slot. */
  drain(): Promise<void> {
    if (this.#places.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drainWaiters.push(resolve));
  }

  #watch(place: Place): void {
    const { run } = place;
    const { signal } = run.settings;
    const { queueTimeoutMs } = this.#options;
    if (signal === undefined && queueTimeoutMs === undefined) return;
    place.gate = new AbortController();
    if (signal !== undefined) {
      place.onAbort = () => this.#listener.onAbort(run, signal.reason);
      signal.addEventListener('abort', place.onAbort, { once: true });
    }
    if (queueTimeoutMs !== undefined) {
      place.timer = setTimeout(() => this.#listener.onLate(run, queueTimeoutMs), queueTimeoutMs);
    }
  }

  #start(place: Place): Promise<(() => void) | undefined> {
    clearTimeout(place.timer);
    place.run.start();
    return this.#listener.execute(place.run);
  }

  #over(place: Place, settle?: () => void): void {
    const { run } = place;
    clearTimeout(place.timer);
    if (place.onAbort !== undefined) run.settings.signal?.removeEventListener('abort', place.onAbort);
    this.#places.delete(run.executionId);
    settle?.();
    if (this.#needsDrain && this.#queue.size === 0) {
      this.#needsDrain = false;
      this.#listener.onDrain();
    }
    if (this.#places.size > 0) return;
    for (const resolve of this.#drainWaiters.splice(0)) resolve();
  }
}
