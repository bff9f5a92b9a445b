/**
 * One sandbox of a launcher, used once: opaque bytes both ways, an end, and a receipt. Warm until `start()`, then one run's.
 */
import { constants } from 'node:os';
import type { NativeExit } from './addon.js';
import { LauncherLost, type SpawnFailed } from './errors.js';
import { exitReport } from './exit-report.js';
import type { Launcher } from './launcher.js';
import type { ProcessUsage, Receipt, SandboxOutcome, StopReason } from './receipt.js';
import type { SandboxEvents } from './sandbox-events.js';
import {
  NO_TRAFFIC,
  NO_USAGE,
  type ReceiptBase,
  type ReceiptContext,
  type SandboxCourse,
  type SandboxFacts,
  sandboxReceipt,
  type Traffic,
} from './sandbox-receipt.js';
import { StopLadder, type StopTimes } from './stop-ladder.js';

/** What a run's owner wants to know of its sandbox. Events begin on a later turn than `start()`. */
export interface SandboxListener {
  /** Bytes from descriptor 3; the buffer is the listener's. */
  onData(chunk: Buffer): void;
  /** The sandbox closed its half, and everything that it sent was delivered. */
  onEnd(): void;
  /** It is over and accounted for: once, after `onEnd`, the last event. */
  onExit(end: SandboxEnd): void;
}

export interface SandboxEnd {
  outcome: SandboxOutcome;
  receipt: Receipt;
  /** User and system time of the process. */
  cpuMs: number;
  peakRssBytes: number;
  forcedStop: boolean;
  containmentConfirmed: boolean;
  /** The first of what it wrote to its diagnostics, at most `DIAGNOSTICS_LIMIT` bytes, as text. */
  diagnostics: string;
}

/**
 * Longest time, ms, in which a launcher that was asked for a clone says nothing. One clone takes some milliseconds, or some
 * hundred where the machine is overloaded; a launcher with many requests before it is late, and not lost.
 */
const SPAWN_TIMEOUT_MS = 5_000;

const silent = () =>
  new LauncherLost(`the launcher did not answer for ${SPAWN_TIMEOUT_MS} ms, and was killed`);
const ended = () => new LauncherLost('the launcher ended before the sandbox was there');

export class Sandbox implements SandboxEvents {
  readonly #launcher: Launcher;
  readonly #number: number;
  readonly #receiptBase: ReceiptBase;
  readonly #ladder: StopLadder;
  readonly #requestedAt = performance.now();
  readonly #diagnostics: Buffer[] = [];
  #spawnedAt: number | undefined;
  #startedAt = 0;
  #settleSpawned: ((error?: Error) => void) | undefined;
  #listener: SandboxListener | undefined;
  #context: ReceiptContext | undefined;
  #wantsKill = false;
  #hasEnded = false;
  #isOver = false;
  /** What a run is told that it is given to when it is over already. */
  #endBeforeWork: SandboxFacts = ENDED_BEFORE_ITS_WORK;
  #onGone: (sandbox: Sandbox) => void;
  /** Whether it was there before it was asked for. */
  source: 'warm' | 'cold' = 'cold';

  /** Throws `SpawnFailed` or `LauncherLost`, like `Launcher.spawn`. `onGone`: it is over, or never was. */
  constructor(
    launcher: Launcher,
    receiptBase: ReceiptBase,
    stopTimes: StopTimes,
    onGone: (sandbox: Sandbox) => void,
  ) {
    this.#launcher = launcher;
    this.#receiptBase = receiptBase;
    this.#onGone = onGone;
    this.#number = launcher.spawn(this);
    this.#ladder = new StopLadder(
      {
        terminate: () => void launcher.sendSignal(this.#number, constants.signals.SIGTERM),
        kill: () => {
          // Before the clone is there, it has no pidfd to be killed by.
          this.#wantsKill = !launcher.sendSignal(this.#number, constants.signals.SIGKILL);
        },
        killLauncher: () => void launcher.kill(),
        containmentFailed: () => this.#finish({ kind: 'lost' }, NO_USAGE, NO_TRAFFIC, false),
      },
      stopTimes,
    );
  }

  /** Of the sandboxed process, as this process's PID namespace numbers it; 0 when it is over. */
  get pid(): number {
    return this.#launcher.pidOf(this.#number);
  }

  /** From the request to the clone, ms; 0 for a warm one. */
  get spawnMs(): number {
    return this.source === 'warm' || this.#spawnedAt === undefined ? 0 : this.#spawnedAt - this.#requestedAt;
  }

  /** Whether the kernel lets this process signal it; false too when it is over. */
  get canSignal(): boolean {
    return this.#launcher.sendSignal(this.#number, 0);
  }

  get isReady(): boolean {
    return this.#spawnedAt !== undefined && !this.#isOver;
  }

  /** Queued for the sandbox, and not yet taken by the kernel. */
  get pendingBytes(): number {
    return this.#launcher.pendingOf(this.#number);
  }

  /** Resolves when the clone is there. Rejects with `SpawnFailed` or `LauncherLost`, in bounded time. Once. */
  whenSpawned(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.isReady) resolve();
      else if (this.#isOver) reject(this.#launcher.problem ?? ended());
      else {
        this.#launcher.hold();
        let timer: NodeJS.Timeout | undefined;
        // A launcher that is stopped or hangs says nothing; ending it does, and whoever waits hears of it.
        const watch = () => {
          const silentMs = performance.now() - Math.max(this.#requestedAt, this.#launcher.heardAt);
          if (silentMs < SPAWN_TIMEOUT_MS) timer = setTimeout(watch, SPAWN_TIMEOUT_MS - silentMs);
          else void this.#launcher.kill(silent()).then(() => this.#settleSpawned?.(silent()));
        };
        watch();
        this.#settleSpawned = (error) => {
          clearTimeout(timer);
          this.#launcher.release();
          this.#settleSpawned = undefined;
          if (error === undefined) resolve();
          else reject(error);
        };
      }
    });
  }

  /** Makes it one run's. Once. */
  start(listener: SandboxListener, context: ReceiptContext): void {
    this.#listener = listener;
    this.#context = context;
    this.#startedAt = performance.now();
    this.#launcher.hold();
    // A warm sandbox may have ended in this same turn, between its choice and now.
    if (this.#isOver) queueMicrotask(() => this.#report(this.#endBeforeWork));
  }

  /** Never blocks: what the kernel does not take is queued. */
  write(text: string): void {
    this.#launcher.write(this.#number, text);
  }

  /** Half-closes the bridge; what the sandbox still sends is still received. */
  endInput(): void {
    this.#launcher.endInput(this.#number);
  }

  /** It has said all, and is about to exit: what it still sends is delivered then, and wakes nobody before. */
  awaitExit(): void {
    this.#launcher.readAtExit(this.#number);
  }

  /** The ladder: `ask`, or SIGTERM; then SIGKILL. Idempotent; resolves when it is over. */
  stop(reason: StopReason, ask?: () => void): Promise<void> {
    return this.#ladder.stop(reason, ask);
  }

  /** Straight to SIGKILL. Idempotent; resolves when it is over. */
  kill(reason: StopReason): Promise<void> {
    return this.#ladder.kill(reason);
  }

  spawned(): void {
    this.#spawnedAt = performance.now();
    this.#settleSpawned?.();
    if (this.#wantsKill) this.#launcher.sendSignal(this.#number, constants.signals.SIGKILL);
  }

  spawnFailed(error: SpawnFailed): void {
    this.#isOver = true;
    this.#ladder.ended();
    this.#onGone(this);
    this.#settleSpawned?.(error);
  }

  data(chunk: Buffer): void {
    // A sandbox that speaks before it is asked has no listener; its owner never was.
    this.#listener?.onData(chunk);
  }

  end(): void {
    this.#hasEnded = true;
    this.#listener?.onEnd();
  }

  diagnostics(chunk: Buffer): void {
    this.#diagnostics.push(chunk);
  }

  exited(exit: NativeExit): void {
    const { outcome, usage, traffic } = exitReport(exit, { canSignal: false });
    this.#finish(outcome, usage, traffic, true);
  }

  #finish(outcome: SandboxOutcome, usage: ProcessUsage, traffic: Traffic, contained: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ladder.ended();
    this.#onGone(this);
    this.#settleSpawned?.(this.#launcher.problem ?? ended());
    const end = { outcome, usage, traffic, contained };
    // The next one would fail as it did: that is what a run has to be told.
    if (outcome.kind === 'spawn-failed') this.#endBeforeWork = end;
    this.#report(end);
  }

  /** Tells the run that has it, if one has. */
  #report(end: SandboxFacts): void {
    const listener = this.#listener;
    const context = this.#context;
    if (listener === undefined || context === undefined) return;
    this.#launcher.release();
    if (!this.#hasEnded) listener.onEnd();
    listener.onExit({
      outcome: end.outcome,
      receipt: sandboxReceipt(this.#receiptBase, context, end, this.#course()),
      cpuMs: end.usage.cpuUserMs + end.usage.cpuSystemMs,
      peakRssBytes: end.usage.maxRssBytes,
      forcedStop: this.#ladder.forcedStopAttempted,
      containmentConfirmed: end.contained,
      diagnostics: Buffer.concat(this.#diagnostics).toString(),
    });
  }

  #course(): SandboxCourse {
    const { reason, gracefulStopAttempted, forcedStopAttempted, stopMs } = this.#ladder;
    return {
      requestedAt: this.#startedAt,
      spawnMs: this.spawnMs,
      runMs: performance.now() - this.#startedAt,
      stopMs,
      stop: { reason, gracefulStopAttempted, forcedStopAttempted },
    };
  }
}

/** However it ended, once it was confined: it is lost to the run that was to have it. */
const ENDED_BEFORE_ITS_WORK: SandboxFacts = {
  outcome: { kind: 'lost' },
  reason: 'the sandbox ended before it was given its work; nothing was run',
  usage: NO_USAGE,
  traffic: NO_TRAFFIC,
  contained: true,
};
