/**
 * Which run a worker's message is about, and which worker a run is on. Must not know the queue or the outcome of runs.
 */
import type { WorkerMessage } from './messages.js';
import type { Metrics } from './metrics.js';
import type { PoolRun } from './pool-run.js';
import type { WorkerThread, WorkerThreadListener } from './worker-thread.js';

interface Route {
  run: PoolRun;
  thread: WorkerThread;
}

export class RunRoutes implements WorkerThreadListener {
  /** Told of every worker that died without being asked to. */
  onWorkerExit: (threadId: number) => void = () => {};
  readonly #metrics: Metrics;
  readonly #routes = new Map<number, Route>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  add(number: number, run: PoolRun, thread: WorkerThread): void {
    this.#routes.set(number, { run, thread });
  }

  remove(number: number): void {
    this.#routes.delete(number);
  }

  /** Tells the run's worker to end it. Does nothing for a run that no worker has. */
  cancel(run: PoolRun, reason: 'cancelled' | 'closed'): void {
    this.#routes.get(run.number)?.thread.post({ type: 'cancel', run: run.number, reason });
  }

  /** Passes a tool.result frame on, as long as there is somebody to have it. */
  answer(run: PoolRun, id: number, frame: string): void {
    this.#routes.get(run.number)?.thread.post({ type: 'result', run: run.number, id, frame });
  }

  onCall(_thread: WorkerThread, message: Extract<WorkerMessage, { type: 'call' }>): void {
    this.#routes.get(message.run)?.run.onCall(message);
  }

  onLogs(message: Extract<WorkerMessage, { type: 'logs' }>): void {
    this.#routes.get(message.run)?.run.onLogs(message.logs);
  }

  onState(thread: WorkerThread, before: WorkerThread['state']): void {
    this.#metrics.launchersRestarted(thread.state.launcherRestarts - before.launcherRestarts);
  }

  onWorkerLost(lost: WorkerThread): void {
    this.#metrics.workerRestarted();
    for (const { run, thread } of this.#routes.values()) {
      if (thread === lost) run.endMessages();
    }
    this.onWorkerExit(lost.threadId);
  }
}
