/**
 * Keeps one of something there that can be lost: there is always one, or one on its way, or a reason why there is none. Which event
 * leads where is in `supply-transitions.ts`. Must not know what it supplies.
 */
import {
  FIRST_START,
  type SupplyAction,
  type SupplyEvent,
  type SupplyState,
  supplyTransition,
} from './supply-transitions.js';

/** What can be supplied. */
export interface Supplied {
  /** Resolves once it can be used. Rejects if it has ended before that. In bounded time. */
  whenReady(): Promise<unknown>;
  /** Ends it, at any time. Resolves when it has ended, in bounded time. */
  close(): Promise<void>;
}

export interface SupplyOptions<T extends Supplied> {
  /** Starts one. `onEnd`: it is of no use any more, whoever wanted that; again does no harm. May throw. */
  start(onEnd: () => void): T;
  /** Why there is none, for who wants one, by what `start` or `whenReady` failed with. */
  explain(error: unknown): Error;
  /** What is wanted of a supply that is closed. */
  closed(): Error;
  /** One is there. */
  onServing(item: T): void;
  /** The one that was there has ended unasked. */
  onLost(item: T): void;
  /** `renew()` has put another in its place: it is still there, and whoever makes the supply ends it. */
  onReplaced?(item: T): void;
  /** A start has failed, for the reason that `explain` gave; it is tried again later. */
  onFailed?(error: Error): void;
}

/** What has been there for as long as this has not ended for a reason that will be there again, milliseconds. */
const LASTING_MS = 5_000;

interface Next<T> {
  promise: Promise<T>;
  resolve(item: T): void;
  reject(error: Error): void;
}

export class Supply<T extends Supplied> {
  readonly #options: SupplyOptions<T>;
  #state: SupplyState = FIRST_START;
  /** The one that is there, or on its way. */
  #item: T | undefined;
  #servingSince = 0;
  #failure: Error | undefined;
  #next: Next<T> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ending: Promise<void> | undefined;
  /** On its way to take the place of the one that is there. */
  #successor: T | undefined;
  /** How many ended without being asked to. */
  losses = 0;

  /** Starts the first, as soon as whoever makes the supply has it. */
  constructor(options: SupplyOptions<T>) {
    this.#options = options;
    queueMicrotask(() => {
      if (this.#state === FIRST_START) this.#start();
    });
  }

  /** The one that is there. */
  get current(): T | undefined {
    return this.#state.phase === 'serving' ? this.#item : undefined;
  }

  /** Why the last start failed; undefined once one has succeeded. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * The one that is there, or the next. Rejects if that cannot be started, and at once while a start that failed is waited with.
   */
  get(): Promise<T> {
    if (this.current !== undefined) return Promise.resolve(this.current);
    if (this.#state.phase === 'closed') return Promise.reject(this.#options.closed());
    if (this.#state.phase === 'waiting' && this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#timer?.ref(); // from here on somebody waits for it
    this.#next ??= nextOne();
    return this.#next.promise;
  }

  /**
   * Starts another, and puts it in the place of the one that is there when it is ready; if it cannot be started, or that is lost
   * meanwhile, nothing changes. Does nothing while there is none, or another is on its way already.
   */
  renew(): void {
    if (this.current === undefined || this.#successor !== undefined) return;
    let successor: T;
    try {
      successor = this.#options.start(() => this.#onEnd(successor));
    } catch {
      return;
    }
    this.#successor = successor;
    successor.whenReady().then(
      () => this.#replace(successor),
      () => {
        if (this.#successor === successor) this.#successor = undefined;
      },
    );
  }

  /** Ends what is there, or on its way. Resolves when it has ended. Idempotent. */
  async close(): Promise<void> {
    const successor = this.#successor;
    this.#successor = undefined;
    this.#step('close');
    await Promise.all([this.#ending, successor?.close()]);
  }

  #replace(successor: T): void {
    if (this.#successor !== successor) return; // it has ended, or the supply is closed
    const replaced = this.current;
    if (replaced === undefined) {
      void successor.close(); // its end is heard of, and waited for by who closes the supply
      return;
    }
    this.#successor = undefined;
    this.#item = successor;
    this.#servingSince = performance.now();
    this.#options.onReplaced?.(replaced);
  }

  #start(): void {
    let item: T;
    let hasEnded = false;
    try {
      item = this.#options.start(() => {
        hasEnded = true;
        this.#onEnd(item);
      });
    } catch (error) {
      this.#onFailed(error);
      return;
    }
    this.#item = item;
    item.whenReady().then(
      () => {
        if (hasEnded) this.#onFailed(new Error('it ended right after its start'));
        else this.#step('ready');
      },
      (error: unknown) => this.#onFailed(error),
    );
  }

  #onFailed(error: unknown): void {
    if (this.#state.phase !== 'starting') return;
    this.#item = undefined;
    this.#failure = this.#options.explain(error);
    this.#step('failed');
    this.#options.onFailed?.(this.#failure);
  }

  #onEnd(item: T): void {
    if (this.#successor === item) this.#successor = undefined;
    // Before it is ready, `whenReady` says so.
    if (this.current !== item) return;
    this.losses++;
    if (performance.now() - this.#servingSince >= LASTING_MS) this.#step('lasted');
    this.#item = undefined;
    this.#step('lost');
    this.#options.onLost(item);
  }

  #step(event: SupplyEvent): void {
    const transition = supplyTransition(this.#state, event);
    if (transition === undefined) return;
    this.#state = transition.to;
    clearTimeout(this.#timer);
    for (const action of transition.actions) this.#act(action, transition.waitMs);
  }

  #act(action: SupplyAction, waitMs: number | undefined): void {
    switch (action) {
      case 'start':
        this.#start();
        break;
      case 'serve':
        this.#servingSince = performance.now();
        this.#failure = undefined;
        if (this.#item === undefined) break;
        this.#next?.resolve(this.#item);
        this.#next = undefined;
        this.#options.onServing(this.#item);
        break;
      case 'refuse':
        this.#next?.reject(
          this.#state.phase === 'waiting' && this.#failure !== undefined
            ? this.#failure
            : this.#options.closed(),
        );
        this.#next = undefined;
        break;
      case 'wait':
        this.#timer = setTimeout(() => this.#step('expired'), waitMs).unref();
        break;
      case 'end':
        this.#ending = this.#item?.close();
        this.#item = undefined;
        break;
    }
  }
}

function nextOne<T>(): Next<T> {
  let resolve: Next<T>['resolve'] = () => {};
  let reject: Next<T>['reject'] = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
