/**
 * When sandboxes of a launcher are to give way: as long as anything runs, those that have used more CPU time than a program needs
 * that only calls tools are put behind the others. Must not know what a sandbox is.
 */

/** How often it is looked at, ms. */
const PERIOD_MS = 50;

/** CPU time of a sandbox that is not yet busy, ms: a program of some tool calls takes less than one. */
const BUSY_CPU_MS = 20;

export class Demotion<Running> {
  readonly #running: Iterable<Running>;
  readonly #demoteBusy: (cpuMs: number) => void;
  #oldest: Running | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `running`: in the order in which they began. `demoteBusy`: the launcher's. */
  constructor(running: Iterable<Running>, demoteBusy: (cpuMs: number) => void) {
    this.#running = running;
    this.#demoteBusy = demoteBusy;
  }

  /** Something has begun to run. Idempotent; it ends by itself when nothing runs any more. */
  watch(): void {
    this.#timer ??= setTimeout(this.#look, PERIOD_MS).unref();
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    const [oldest] = this.#running;
    // Where each is over within a period, as most are, none is busy, and the launcher is left in peace.
    if (oldest !== undefined && oldest === this.#oldest) this.#demoteBusy(BUSY_CPU_MS);
    this.#oldest = oldest;
    if (oldest !== undefined) this.watch();
  };
}
