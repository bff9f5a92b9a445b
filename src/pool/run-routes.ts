/**
 * Which run a worker's message is about, and which worker a run is on. Must not know the queue or the outcome of runs.
 */
import type { WorkerMessage } from './messages.js';
import type { Metrics } from './metrics.js';
import type { PoolRun } from './pool-run.js';
import type { WorkerGroupListener } from './worker-group.js';
import type { WorkerLink } from './worker-link.js';

interface Route {
  run: PoolRun;
  link: WorkerLink;
}

export class RunRoutes implements WorkerGroupListener {
  /** Told of every worker that died without being asked to. */
  onWorkerExit: (threadId: number) => void = () => {};
  readonly #metrics: Metrics;
  readonly #routes = new Map<number, Route>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  add(number: number, run: PoolRun, link: WorkerLink): void {
    this.#routes.set(number, { run, link });
  }

  remove(number: number): void {
    this.#routes.delete(number);
  }

  /** Tells the run's worker to end it. Does nothing for a run that no worker has. */
  cancel(run: PoolRun, reason: 'cancelled' | 'closed'): void {
    this.#routes.get(run.number)?.link.post({ type: 'cancel', run: run.number, reason });
  }

  /** Passes a tool.result frame on, as long as there is somebody to have it. */
  answer(run: PoolRun, id: number, frame: string): void {
    this.#routes.get(run.number)?.link.post({ type: 'result', run: run.number, id, frame });
  }

  onCall(_link: WorkerLink, message: Extract<WorkerMessage, { type: 'call' }>): void {
    this.#routes.get(message.run)?.run.onCall(message);
  }

  onLogs(message: Extract<WorkerMessage, { type: 'logs' }>): void {
    this.#routes.get(message.run)?.run.onLogs(message.logs);
  }

  onState(link: WorkerLink, before: WorkerLink['state']): void {
    this.#metrics.launchersRestarted(link.state.launcherRestarts - before.launcherRestarts);
  }

  onWorkerLost(lost: WorkerLink): void {
    this.#metrics.workerRestarted();
    for (const { run, link } of this.#routes.values()) {
      if (link === lost) run.endMessages();
    }
    this.onWorkerExit(lost.threadId);
  }
}
