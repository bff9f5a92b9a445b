/**
 * A bound for what must not hang, that says what hung: for what waits on the event loop, and for what stops that loop itself, in a
 * call that does not return. The second has a thread of its own, which can only end the process.
 */
import { Worker } from 'node:worker_threads';

/** The longest that anything may take: every wait of the product is shorter, and machines are busy. */
export const LONGEST_MS = 45_000;
/** For a loop that stands still: what is merely slow has failed by then, and said so. */
const LONGEST_STANDSTILL_MS = 90_000;

const WATCH = `
  const { parentPort } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  let timer;
  parentPort.on('message', (what) => {
    clearTimeout(timer);
    if (what === undefined) return;
    timer = setTimeout(() => {
      writeSync(2, 'The event loop stands still, and the test is ended: ' + what + '\\n');
      process.kill(process.pid, 'SIGKILL');
    }, ${LONGEST_STANDSTILL_MS});
  });
`;

export class Deadline {
  readonly #watch = new Worker(WATCH, { eval: true });

  constructor() {
    this.#watch.unref();
  }

  /** Rejects after `LONGEST_MS`, naming `what`, if `act` has not settled by then. */
  async within<T>(what: string, act: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    this.#watch.postMessage(what);
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it took more than ${LONGEST_MS} ms`)), LONGEST_MS);
    });
    try {
      return await Promise.race([act(), late]);
    } finally {
      clearTimeout(timer);
      this.#watch.postMessage(undefined);
    }
  }

  async close(): Promise<void> {
    await this.#watch.terminate();
  }
}
