/**
 * Whether a thread still answers, while somebody waits for it. It costs one timer a second, and a message only if the thread has said
 * nothing for that long. Must not know what the thread does.
 */

const BEAT_MS = 1_000;
/**
 * Beats without an answer after which it is given up: what a thread does in one turn takes milliseconds. Beats are counted, not time:
 * a process that was suspended, or a main thread that was busy itself, has missed its own.
 */
const MOST_MISSED = 10;

/** In the words of errors. */
export const SILENT_SECONDS = (BEAT_MS * MOST_MISSED) / 1_000;

export interface HeartbeatOptions {
  isNeeded(): boolean;
  /** Asks for an answer, whatever it is. */
  ask(): void;
  onSilent(): void;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #missed = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Somebody waits for the thread from here on; it ends by itself when it is not needed. */
  begin(): void {
    if (this.#timer !== undefined) return;
    this.#missed = 0;
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  /** The thread has said something. */
  heard(): void {
    this.#missed = 0;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    if (!this.#options.isNeeded()) this.end();
    else if (this.#missed === MOST_MISSED) {
      this.end();
      this.#options.onSilent();
    } else if (this.#missed++ === 1) this.#options.ask();
  }
}
