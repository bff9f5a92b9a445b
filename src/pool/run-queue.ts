/**
 * Admission: which runs wait for a slot and for how long, and which have one. Must not know workers, nor what a run
 * does with its slot.
 */
import PQueue from 'p-queue';
import { AdmissionLine, type AdmissionOptions, type Demand, type PlaceOptions } from './admission-line.js';
import type { PoolRun } from './pool-run.js';
import type { RunSettings } from './run-options.js';

/** Fewer leave processors idle while messages are under way. */
const TURNS_PER_THREAD = 4;

/** A run that neither calls a tool nor ends needs its turn for so long, ms: what computes or sleeps keeps nobody out. */
const LONGEST_TURN_MS = 50;

export interface RunQueueOptions extends Omit<AdmissionOptions, 'turnsPerTenant'> {
  /** Worker threads. */
  threads: number;
  /** Runs that may wait. */
  maxQueue: number;
  /** Longest wait, milliseconds. */
  queueTimeoutMs: number | undefined;
}

export interface RunQueueListener {
  /** Uses the slot; it is free again when the promise settles. Returns what settles the run. */
  execute(run: PoolRun): Promise<(() => void) | undefined>;
  /** Something on the way threw, which nothing should: it has no slot any more, and nobody has told the caller. */
  onBroken(run: PoolRun, error: unknown): void;
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
  timer?: NodeJS.Timeout;
  onAbort?: () => void;
}

export class RunQueue {
  readonly #options: RunQueueOptions;
  readonly #listener: RunQueueListener;
  readonly #line: AdmissionLine;
  readonly #queue: PQueue<AdmissionLine, PlaceOptions>;
  /** By executionId: everything that waits or has a slot. */
  readonly #places = new Map<string, Place>();
  #drainWaiters: (() => void)[] = [];
  #needsDrain = false;

  constructor(options: RunQueueOptions, listener: RunQueueListener) {
    this.#options = options;
    this.#listener = listener;
    const line = new AdmissionLine({ ...options, turnsPerTenant: options.threads * TURNS_PER_THREAD });
    this.#line = line;
    this.#queue = new PQueue({ concurrency: options.concurrency, queueClass: makerOf(line) });
  }

  /** Runs that wait for a slot. */
  get queued(): number {
    return this.#line.waitingForSlots;
  }

  /** Runs that have a slot, or wait for nothing but their turn. */
  get running(): number {
    return this.#queue.pending + this.#line.waiting - this.queued;
  }

  /** True when a run with these settings would have to wait for a slot, and may not. */
  isFullFor(settings: RunSettings): boolean {
    const { queued } = this;
    return queued >= this.#options.maxQueue && this.#line.waitingForSlotsWith(demandOf(settings)) > queued;
  }

  has(executionId: string): boolean {
    return this.#places.has(executionId);
  }

  admit(run: PoolRun): void {
    const place: Place = { run };
    this.#watch(place);
    this.#places.set(run.executionId, place);
    const { priority } = run.settings;
    this.#queue
      .add(() => this.#start(place), { id: run.executionId, priority, ...demandOf(run.settings) })
      .then(
        // Only now is the slot free again: whoever awaits the result may send the next run at once.
        (settle) => this.#over(place, settle),
        (error: unknown) => {
          this.#over(place);
          this.#listener.onBroken(run, error);
        },
      );
    if (this.queued > 0 && !this.#needsDrain) {
      this.#needsDrain = true;
      this.#listener.onNeedsDrain();
    }
  }

  /** Takes a run out that has not started and was aborted or late. */
  leave(run: PoolRun): void {
    const place = this.#places.get(run.executionId);
    if (place === undefined || !this.#line.remove(run.executionId)) return;
    this.#over(place);
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
    if (signal !== undefined) {
      place.onAbort = () => this.#listener.onAbort(run, signal.reason);
      signal.addEventListener('abort', place.onAbort, { once: true });
    }
    if (queueTimeoutMs !== undefined) {
      place.timer = setTimeout(() => this.#listener.onLate(run, queueTimeoutMs), queueTimeoutMs);
    }
  }

  /** It has a slot, and its turn. */
  async #start({ run, timer }: Place): Promise<(() => void) | undefined> {
    clearTimeout(timer);
    const demand = demandOf(run.settings);
    let hasTurn = true;
    const onStarted = (): void => {
      if (!hasTurn) return;
      hasTurn = false;
      clearTimeout(longest);
      this.#line.started(demand);
      this.#letIn();
    };
    const longest = setTimeout(onStarted, LONGEST_TURN_MS);
    try {
      run.start(onStarted);
      return await this.#listener.execute(run);
    } finally {
      onStarted();
      // Before p-queue looks for the next run, which it does once this has settled.
      this.#line.release(demand);
    }
  }

  /** p-queue looks for those that may start when it is told its concurrency. */
  #letIn(): void {
    this.#queue.concurrency = this.#options.concurrency;
  }

  #over(place: Place, settle?: () => void): void {
    const { run } = place;
    clearTimeout(place.timer);
    if (place.onAbort !== undefined) run.settings.signal?.removeEventListener('abort', place.onAbort);
    this.#places.delete(run.executionId);
    settle?.();
    // More than one may have waited for what it had, or for it to have its slot first.
    this.#letIn();
    if (this.#needsDrain && this.queued === 0) {
      this.#needsDrain = false;
      this.#listener.onDrain();
    }
    if (this.#places.size > 0) return;
    for (const resolve of this.#drainWaiters.splice(0)) resolve();
  }
}

function demandOf({ key, limits }: RunSettings): Demand {
  return { key, memoryBytes: limits.memoryBytes };
}

/** p-queue makes its queue itself, without arguments. */
function makerOf(line: AdmissionLine): new () => AdmissionLine {
  return function give() {
    return line;
  } as unknown as new () => AdmissionLine;
}
