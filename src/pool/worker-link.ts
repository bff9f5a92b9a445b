/**
 * The main thread's end of the channel to one worker thread, and what is known of that worker. Must not know runs beyond
 * their number.
 */
import type { MessagePort } from 'node:worker_threads';
import type { HostMessage, WorkerMessage, WorkerState } from './messages.js';

export class WorkerLink {
  readonly threadId: number;
  readonly #port: MessagePort;
  /** Runs that were handed to this worker, and that it has now. */
  started = 0;
  running = 0;
  state: WorkerState = { warm: 0, launcherRestarts: 0 };

  /**
   * Keeps the process alive until `settle`. `onClosed`: the worker has closed its end, or is gone; the last event.
   */
  constructor(
    threadId: number,
    port: MessagePort,
    onMessage: (link: WorkerLink, message: WorkerMessage) => void,
    onClosed: (link: WorkerLink) => void,
  ) {
    this.threadId = threadId;
    this.#port = port;
    port.on('message', (message: WorkerMessage) => onMessage(this, message));
    port.on('close', () => onClosed(this));
  }

  /** From here on an idle worker does not keep the process alive; piscina does that while there are runs. */
  settle(): void {
    this.#port.unref();
  }

  post(message: HostMessage): void {
    this.#port.postMessage(message);
  }

  /** Asks the worker to stop all it has. Resolves when it has, when it is gone, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#port.off('message', onMessage);
        this.#port.off('close', done);
        resolve();
      };
      const onMessage = ({ type }: WorkerMessage): void => {
        if (type === 'closed') done();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#port.on('message', onMessage);
      this.#port.on('close', done);
      this.#port.ref();
      this.post({ type: 'close' });
    });
  }
}
