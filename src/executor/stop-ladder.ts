/**
 * The stop ladder of one sandbox: ask, then kill, then kill the launcher around it; every rung is bounded. Stops may race
 * each other and a natural end: the first reason counts, and a later, harder demand only climbs. Which event leads where is in
 * `stop-transitions.ts`; here are the timer, the account of it, and whoever waits for the end.
 */
import type { StopReason } from './receipt.js';
import { type Rung, STOP_TRANSITIONS, type StopAction, type StopEvent } from './stop-transitions.js';

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
    this.#begin(reason);
    this.#step('stop', ask);
    return this.#over;
  }

  /** Kills at once. Resolves when it is over. */
  kill(reason: StopReason): Promise<void> {
    this.#begin(reason);
    this.#step('kill');
    return this.#over;
  }

  /** The sandbox has ended, for whatever reason; the ladder is left. */
  ended(): void {
    this.#step('ended');
  }

  #begin(reason: StopReason): void {
    if (this.#rung !== 'running') return;
    this.reason = reason;
    this.#startedAt = performance.now();
  }

  #step(event: StopEvent, ask?: () => void): void {
    const transition = STOP_TRANSITIONS[this.#rung][event];
    if (transition === undefined) return;
    const { to, action, wait } = transition;
    this.#rung = to;
    clearTimeout(this.#timer);
    // Before the action: whatever becomes of that, the ladder goes on.
    if (wait !== undefined) this.#timer = setTimeout(() => this.#step('expired'), this.#times[wait]);
    if (to === 'over') {
      this.#endedAt = performance.now();
      this.#resolveOver();
    }
    if (action !== undefined) this.#act(action, ask);
  }

  #act(action: StopAction, ask: (() => void) | undefined): void {
    switch (action) {
      case 'ask':
        this.gracefulStopAttempted = true;
        if (ask === undefined) this.#actions.terminate();
        else ask();
        break;
      case 'kill':
        this.forcedStopAttempted = true;
        this.#actions.kill();
        break;
      default:
        this.#actions[action]();
    }
  }
}
