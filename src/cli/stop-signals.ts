/** Signals that end us, turned into stops of what we run: the first asks, any further one kills. */
import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export class StopSignals {
  readonly #stop: (force: boolean) => void;
  /** The first that came. */
  received: NodeJS.Signals | undefined;

  constructor(stop: (force: boolean) => void) {
    this.#stop = stop;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Of the first that came, if one did. */
  get number(): number | undefined {
    return this.received === undefined ? undefined : constants.signals[this.received];
  }

  /** From here on they do what they do to any process. */
  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    const isFirst = this.received === undefined;
    this.received ??= signal;
    this.#stop(!isFirst);
  };
}
