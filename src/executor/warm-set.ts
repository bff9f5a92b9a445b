/**
 * The sandboxes of one launcher that are ready and were never used. It fills itself off the critical path, to as many as were
 * asked for in the busiest tenth of a second of the last five: enough for a burst like the last one. What is left over after
 * that is used up, and after a minute without a run only the minimum is kept.
 */
import { ArrivalRate } from './arrival-rate.js';

export interface WarmLimits {
  /** Kept ready when idle. */
  min: number;
  /** Kept ready at most. */
  max: number;
}

/** What the set needs of its members. */
export interface Warmable {
  readonly isReady: boolean;
}

const IDLE_AFTER_MS = 60_000;

/** How long those of before a renewal may still be used. */
const STALE_MS = 1_000;

export class WarmSet<T extends Warmable> {
  #members = new Set<T>();
  /** Those of before a renewal. */
  #stale = new Set<T>();
  #staleTimer: NodeJS.Timeout | undefined;
  readonly #limits: WarmLimits;
  readonly #spawn: () => T | undefined;
  readonly #discard: (member: T) => void;
  readonly #idleTimer: NodeJS.Timeout;
  readonly #arrivals = new ArrivalRate();
  #target: number;
  #refillScheduled = false;
  #isClosed = false;

  /** `spawn` asks for a new member, or returns undefined if there can be none now. `discard` ends one. */
  constructor(limits: WarmLimits, spawn: () => T | undefined, discard: (member: T) => void) {
    this.#limits = limits;
    this.#spawn = spawn;
    this.#discard = discard;
    this.#target = limits.min;
    this.#idleTimer = setTimeout(() => this.#shrink(), IDLE_AFTER_MS).unref();
    this.refill();
  }

  /** How many are ready. */
  get size(): number {
    let ready = 0;
    for (const member of [...this.#stale, ...this.#members]) if (member.isReady) ready++;
    return ready;
  }

  /**
   * The oldest member, ready or the next to be, or undefined if there is none. Refills afterwards. A member that is on
   * its way is there before a new one would be.
   */
  take(): T | undefined {
    this.#idleTimer.refresh();
    this.#arrivals.count(performance.now());
    this.#scheduleRefill();
    const set = this.#stale.size > 0 ? this.#stale : this.#members;
    const [oldest] = set;
    if (oldest !== undefined) set.delete(oldest);
    return oldest;
  }

  /** A member ended by itself. */
  remove(member: T): void {
    if (this.#members.delete(member)) this.#scheduleRefill();
    else this.#stale.delete(member);
  }

  /** Asks for what is missing, now. */
  refill(): void {
    while (!this.#isClosed && this.#members.size < this.#target) {
      const member = this.#spawn();
      if (member === undefined) return;
      this.#members.add(member);
    }
  }

  /** Has all members replaced by new ones: those that there are may be used until the others are there, and are then ended. */
  renew(): void {
    this.#discardStale();
    this.#stale = this.#members;
    this.#members = new Set();
    this.refill();
    this.#staleTimer = setTimeout(() => this.#discardStale(), STALE_MS).unref();
  }

  /** Forgets all members without ending them: their launcher is. Those of the launcher before it are ended. */
  clear(): void {
    this.#discardStale();
    this.#members.clear();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    this.clear();
  }

  /** After the events of this turn, so that the run that took one is not kept waiting by its replacement. */
  #scheduleRefill(): void {
    if (this.#refillScheduled) return;
    this.#refillScheduled = true;
    setImmediate(() => {
      this.#refillScheduled = false;
      this.#target = Math.min(this.#limits.max, Math.max(this.#limits.min, this.#arrivals.peak));
      this.refill();
    });
  }

  #discardStale(): void {
    clearTimeout(this.#staleTimer);
    for (const member of this.#stale) this.#discard(member);
    this.#stale.clear();
  }

  #shrink(): void {
    this.#target = this.#limits.min;
    for (const member of [...this.#members].slice(this.#target)) {
      this.#members.delete(member);
      this.#discard(member);
    }
  }
}
