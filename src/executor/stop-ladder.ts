/**
 * The stop ladder of one sandbox: ask, then kill, then kill the launcher around it; every rung is bounded. Stops may race
 * each other and a natural end: the first reason counts, and a later, harder demand only climbs.
 */
import type { StopReason } from './receipt.js';

export interface StopTimes {
  /** Longest wait for a sandbox that was asked to end, ms. */
  gracefulMs: number;
  /** Longest wait for one that was killed, ms. */
  forcedMs: number;
}

export const DEFAULT_STOP_TIMES: StopTimes = { gracefulMs: 1_000, forcedMs: 1_000 };

/** What the ladder can do to the sandbox. */
export interface StopActions {
  terminate(): void;
  kill(): void;
  /** The sandbox survived SIGKILL, or its launcher does not report: everything around it is killed. */
  killLauncher(): void;
  /** Not even that was confirmed. */
  containmentFailed(): void;
}

type Rung = 'running' | 'graceful' | 'forced' | 'launcher' | 'over';

export class StopLadder {
  readonly #actions: StopActions;
  readonly #times: StopTimes;
  readonly #over: Promise<void>;
  #resolveOver: () => void = () => {};
  #rung: Rung = 'running';
  #timer: NodeJS.Timeout | undefined;
  #startedAt: number | undefined;
  #endedAt: number | undefined;
  /** Why the first stop was asked for; null if none was. */
  reason: StopReason | null = null;
  gracefulStopAttempted = false;
  forcedStopAttempted = false;

  constructor(actions: StopActions, times: StopTimes) {
    this.#actions = actions;
    this.#times = times;
    this.#over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
  }

  /** From the first demand to the end, ms. */
  get stopMs(): number {
    return this.#startedAt === undefined ? 0 : (this.#endedAt ?? performance.now()) - this.#startedAt;
  }

  /** Asks by `ask` (SIGTERM if there is none), and kills what has not ended in time. Resolves when it is over. */
  stop(reason: StopReason, ask?: () => void): Promise<void> {
    if (this.#rung === 'running') {
      this.#begin(reason);
      this.#rung = 'graceful';
      this.gracefulStopAttempted = true;
      if (ask === undefined) this.#actions.terminate();
      else ask();
      this.#climbAfter(this.#times.gracefulMs, () => this.#force());
    }
    return this.#over;
  }

  /** Kills at once. Resolves when it is over. */
  kill(reason: StopReason): Promise<void> {
    if (this.#rung === 'running') this.#begin(reason);
    if (this.#rung === 'running' || this.#rung === 'graceful') this.#force();
    return this.#over;
  }

  /** The sandbox has ended, for whatever reason; the ladder is left. */
  ended(): void {
    if (this.#rung === 'over') return;
    this.#rung = 'over';
    this.#endedAt = performance.now();
    clearTimeout(this.#timer);
    this.#resolveOver();
  }

  #begin(reason: StopReason): void {
    this.reason = reason;
    this.#startedAt = performance.now();
  }

  #force(): void {
    this.#rung = 'forced';
    this.forcedStopAttempted = true;
    this.#actions.kill();
    this.#climbAfter(this.#times.forcedMs, () => {
      this.#rung = 'launcher';
      this.#actions.killLauncher();
      this.#climbAfter(this.#times.forcedMs, () => this.#actions.containmentFailed());
    });
  }

  #climbAfter(milliseconds: number, climb: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(climb, milliseconds);
  }
}
