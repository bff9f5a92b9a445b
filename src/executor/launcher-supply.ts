/**
 * One thread's supply of launchers: there is always one, or one on its way, or a reason why there is none. Which event leads where is
 * in `supply-transitions.ts`. Must not know sandboxes.
 */
import { LauncherLost, SandboxUnavailable } from './errors.js';
import type { Launcher } from './launcher.js';
import type { ReceiptBase } from './sandbox-receipt.js';
import {
  FIRST_START,
  restartDelayMs,
  type SupplyAction,
  type SupplyEvent,
  type SupplyState,
  supplyTransition,
} from './supply-transitions.js';

/** A launcher that is ready, and what its sandboxes have in common. */
export interface Generation {
  readonly launcher: Launcher;
  readonly receiptBase: ReceiptBase;
}

export interface SupplyOptions {
  /** Starts a launcher. `onExit`: for the launcher's own. Rejects with `SandboxUnavailable`, `LauncherLost` or a system error. */
  start(onExit: (launcher: Launcher) => void): Promise<Generation>;
  /** One is there. */
  onServing(): void;
  /** The one that was there has ended unasked. */
  onLost(): void;
}

/** A launcher that has been there for as long as this has not ended for a reason of its own, milliseconds. */
const LASTING_MS = 5_000;

interface Waited {
  promise: Promise<Generation>;
  resolve(generation: Generation): void;
  reject(error: Error): void;
}

export class LauncherSupply {
  readonly #options: SupplyOptions;
  #state: SupplyState = FIRST_START;
  #current: Generation | undefined;
  #servingSince = 0;
  /** Why the last start failed; undefined once one has succeeded. */
  #failure: SandboxUnavailable | undefined;
  /** Who waits for the next one. */
  #next: Waited | undefined;
  #timer: NodeJS.Timeout | undefined;
  #starting: Promise<void>;
  #ending: Promise<void> | undefined;
  /** Launchers that ended without being asked to. */
  losses = 0;

  /** Starts the first. */
  constructor(options: SupplyOptions) {
    this.#options = options;
    this.#starting = this.#start();
  }

  /** The launcher that is there. */
  get current(): Generation | undefined {
    return this.#current;
  }

  /** Why there is no launcher; undefined while there is one. */
  get problem(): string | undefined {
    if (this.#current !== undefined) return undefined;
    if (this.#state.phase === 'closed') return 'the executor is closed';
    return this.#failure?.message ?? 'the launcher is being started';
  }

  /**
   * The launcher that is there, or the next one. Rejects in bounded time: with `SandboxUnavailable` if it could not be started, at once
   * until it is tried again; with `LauncherLost` if the supply is closed.
   */
  get(): Promise<Generation> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    if (this.#state.phase === 'closed') return Promise.reject(closed());
    if (this.#state.phase === 'waiting' && this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#next ??= waited();
    return this.#next.promise;
  }

  /** Ends the launcher, and the one on its way, and waits for both, within a bound. Idempotent. */
  async close(): Promise<void> {
    this.#step('close');
    await this.#starting;
    await this.#ending;
  }

  async #start(): Promise<void> {
    try {
      const generation = await this.#options.start((launcher) => this.#onExit(launcher));
      if (!generation.launcher.isReady) throw new LauncherLost('it ended right after its start');
      this.#current = generation;
      this.#failure = undefined;
      this.#step('started');
    } catch (error) {
      this.#failure = unavailable(error);
      this.#step('failed');
    }
  }

  #onExit(launcher: Launcher): void {
    if (this.#current?.launcher !== launcher) return;
    this.#current = undefined;
    this.losses++;
    if (performance.now() - this.#servingSince >= LASTING_MS) this.#step('lasted');
    this.#step('lost');
    this.#options.onLost();
  }

  #step(event: SupplyEvent): void {
    const transition = supplyTransition(this.#state, event);
    if (transition === undefined) return;
    this.#state = transition.to;
    clearTimeout(this.#timer);
    for (const action of transition.actions) this.#act(action);
  }

  #act(action: SupplyAction): void {
    switch (action) {
      case 'start':
        this.#starting = this.#start();
        break;
      case 'serve':
        this.#servingSince = performance.now();
        if (this.#current !== undefined) this.#next?.resolve(this.#current);
        this.#next = undefined;
        this.#options.onServing();
        break;
      case 'refuse':
        this.#next?.reject(this.#state.phase === 'closed' ? closed() : (this.#failure ?? closed()));
        this.#next = undefined;
        break;
      case 'wait':
        this.#timer = setTimeout(() => this.#step('expired'), restartDelayMs(this.#state.failures));
        break;
      case 'end':
        this.#ending = this.#current?.launcher.close();
        this.#current = undefined;
        break;
    }
  }
}

function waited(): Waited {
  let resolve: Waited['resolve'] = () => {};
  let reject: Waited['reject'] = () => {};
  const promise = new Promise<Generation>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

function closed(): LauncherLost {
  return new LauncherLost('the executor is closed');
}

function unavailable(error: unknown): SandboxUnavailable {
  if (error instanceof SandboxUnavailable) return error;
  return new SandboxUnavailable([
    {
      capability: 'lifecycle',
      reason: `a launcher could not be started: ${(error as Error).message}`,
      remedy: 'run `wardenpool doctor` to see what this machine lacks; it is tried again by itself',
    },
  ]);
}
