/**
 * How many runs start at once. Until it first waits for a tool, a run has use for a processor; where far more of them start than
 * there are processors, each slows down all others, and the threads that serve them. So those that have slots start one after the
 * other, in the order in which they would get slots, had they none: what counts for a tenant is how many of its runs start, or started
 * of late. Runs that wait for tools have slots, and need no turn. Must not know what a run is.
 */
import { AdmissionLine } from './admission-line.js';

/** A run that neither calls a tool nor ends counts for so long, ms: what computes or sleeps keeps nobody out. */
const LONGEST_START_MS = 50;

export interface Starter {
  readonly id: string;
  readonly priority: number;
  /** The tenant. */
  readonly key: string | undefined;
}

export class StartGate {
  readonly #most: number;
  readonly #line: AdmissionLine;
  /** What lets in those that wait, whose turn it may never be. */
  readonly #waiting = new Map<string, () => void>();
  #starting = 0;

  /** `most`: runs that start at the same time. `now`: milliseconds that never go back. */
  constructor(most: number, now?: () => number) {
    this.#most = most;
    const unbounded = Number.POSITIVE_INFINITY;
    this.#line = new AdmissionLine({ maxConcurrencyPerKey: unbounded, memoryBudgetBytes: unbounded }, now);
  }

  /**
   * Calls `start` when it is its turn, maybe at once, with what is to be called once the run has started, or is over: the first call
   * counts. If it is withdrawn before that, `start` is called with nothing to call.
   */
  enter({ id, priority, key }: Starter, start: (onStarted: () => void) => void): void {
    const demand = { key, memoryBytes: 0 };
    const begin = async (): Promise<void> => {
      this.#waiting.delete(id);
      this.#starting++;
      let isStarting = true;
      const onStarted = (): void => {
        if (!isStarting) return;
        isStarting = false;
        clearTimeout(timer);
        this.#starting--;
        this.#line.release(demand);
        this.#letIn();
      };
      const timer = setTimeout(onStarted, LONGEST_START_MS);
      start(onStarted);
    };
    this.#waiting.set(id, () => start(() => {}));
    this.#line.enqueue(begin, { id, priority, ...demand });
    this.#letIn();
  }

  /** For one that is no longer to start. Does nothing if it is not waiting. */
  withdraw(id: string): void {
    if (!this.#line.remove(id)) return;
    const start = this.#waiting.get(id);
    this.#waiting.delete(id);
    start?.();
  }

  #letIn(): void {
    while (this.#starting < this.#most) {
      const next = this.#line.dequeue();
      if (next === undefined) return;
      void next();
    }
  }
}
