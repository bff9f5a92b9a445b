/** Code in this process's worker threads, as a debugger evaluates it: how tests break a thread that runs the real thing. */
import { Session } from 'node:inspector';
import { eventually } from './processes.js';

export class WorkerThreads {
  readonly #session = new Session();
  /** Of the debugger, by thread id. */
  readonly #sessionIds = new Map<number, string>();

  constructor() {
    this.#session.connect();
    this.#session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
      const threadId = Number(/^\[worker (\d+)\]/.exec(workerInfo.title)?.[1]);
      this.#sessionIds.set(threadId, sessionId);
    });
    this.#session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  }

  /** Has a thread run `expression`, without waiting for what becomes of that. */
  async evaluate(threadId: number, expression: string): Promise<void> {
    const isKnown = await eventually(() => this.#sessionIds.has(threadId), 30_000);
    if (!isKnown) throw new Error(`the debugger knows no thread ${threadId}`);
    this.#session.post('NodeWorker.sendMessageToWorker', {
      sessionId: this.#sessionIds.get(threadId) ?? '',
      message: JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }),
    });
  }

  close(): void {
    this.#session.disconnect();
  }
}
