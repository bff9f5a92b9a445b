/**
 * The worker threads of a pool, as its main thread sees them: keeps as many as are wanted, spreads runs over them, and ends them.
 * Must not know runs beyond their number, nor what a worker does with one.
 */
import { Supply } from '../supply/supply.js';
import { describeThrown } from '../tools/describe-value.js';
import type { BackendChoice } from './backend-choice.js';
import { SandboxUnavailableError } from './errors.js';
import type { WorkerMessage, WorkerSetup } from './messages.js';
import { WorkerThread, type WorkerThreadListener } from './worker-thread.js';

export class WorkerGroup {
  /** One for each thread. */
  readonly #supplies: Supply<WorkerThread>[];
  /** Those that take runs. */
  readonly #serving = new Set<WorkerThread>();
  /** Of threads to come, too: each is told when it starts. */
  readonly #setup: WorkerSetup;
  /** Those that were lost and have not ended. */
  readonly #leaving = new Set<WorkerThread>();
  #lastRun = 0;

  private constructor(
    threads: number,
    concurrency: number,
    setup: WorkerSetup,
    listener: WorkerThreadListener,
  ) {
    this.#setup = { ...setup };
    this.#supplies = Array.from(
      { length: threads },
      () =>
        new Supply<WorkerThread>({
          start: (onEnd) =>
            new WorkerThread({
              setup: this.#setup,
              concurrency,
              listener,
              refuse: (message) => this.#refuse(message),
              onEnd,
            }),
          explain: startFailure,
          closed: () => startFailure(new Error('the pool was closed')),
          onServing: (thread) => this.#serving.add(thread),
          onLost: (thread) => this.#onLost(thread),
        }),
    );
  }

  /** All workers ready, or SandboxUnavailableError, with everything that had been started ended. */
  static async open(
    options: { threads: number; concurrency: number; setup: WorkerSetup },
    listener: WorkerThreadListener,
  ): Promise<WorkerGroup> {
    const group = new WorkerGroup(options.threads, options.concurrency, options.setup, listener);
    try {
      await Promise.all(group.#supplies.map((supply) => supply.get()));
      return group;
    } catch (error) {
      await group.close();
      throw error;
    }
  }

  /** What the group's workers run on: once it is open, one backend. */
  get choice(): BackendChoice {
    const { backend, refused } = this.#setup;
    return { backend, refused };
  }

  /** Those that take runs. */
  get threads(): Iterable<WorkerThread> {
    return this.#serving;
  }

  /** Why no run can have a sandbox now; undefined while one can. */
  get problem(): string | undefined {
    let problem: string | undefined;
    for (const { state } of this.#serving) {
      if (state.problem === undefined) return undefined;
      problem ??= state.problem;
    }
    problem ??= this.#supplies.find(({ failure }) => failure !== undefined)?.failure?.message;
    return problem ?? 'a worker thread is being started';
  }

  /**
   * A worker with the fewest runs: of several, the one that has had the fewest; one without a launcher only where all are. Undefined
   * while there is none.
   */
  freest(): WorkerThread | undefined {
    let freest: WorkerThread | undefined;
    for (const thread of this.#serving) if (freest === undefined || isFreer(thread, freest)) freest = thread;
    return freest;
  }

  /** The same, once there is one. Rejects with SandboxUnavailableError if none can be started. */
  async waitForFreest(): Promise<WorkerThread> {
    const freest = this.freest();
    if (freest !== undefined) return freest;
    try {
      return await Promise.any(this.#supplies.map((supply) => supply.get()));
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    }
  }

  /** Number of the next run. */
  nextRun(): number {
    return ++this.#lastRun;
  }

  /** Ends everything, runs included, within a bound. Rejects if a thread does not end: something of it is left then. */
  async close(): Promise<void> {
    const leaving = Array.from(this.#leaving, (thread) => thread.whenEnded());
    const closed = await Promise.allSettled([...this.#supplies.map((supply) => supply.close()), ...leaving]);
    this.#serving.clear();
    for (const end of closed) if (end.status === 'rejected') throw end.reason;
  }

  #onLost(thread: WorkerThread): void {
    this.#serving.delete(thread);
    this.#leaving.add(thread);
    void thread.whenEnded().then(() => this.#leaving.delete(thread));
  }

  /**
   * All workers of a group run on one backend: on the one that the first of them found, which those that start later are told
   * at once. Two that found out at the same time differ only where the machine refuses something now and then.
   */
  #refuse({
    backend,
    refused,
  }: Extract<WorkerMessage, { type: 'ready' }>): SandboxUnavailableError | undefined {
    if (this.#setup.backend === 'auto') Object.assign(this.#setup, { backend, refused });
    if (this.#setup.backend === backend) return undefined;
    return new SandboxUnavailableError([...this.#setup.refused, ...refused].flatMap((each) => each.missing));
  }
}

function isFreer(one: WorkerThread, other: WorkerThread): boolean {
  const hasLauncher = one.state.problem === undefined;
  if (hasLauncher !== (other.state.problem === undefined)) return hasLauncher;
  return one.running < other.running || (one.running === other.running && one.started < other.started);
}

/** Why there is no worker, by what its start failed with. */
function startFailure(error: unknown): SandboxUnavailableError {
  if (error instanceof SandboxUnavailableError) return error;
  const reason = `a worker thread could not be started: ${describeThrown(error)}`;
  const remedy = 'it is tried again by itself; run `wardenpool doctor` to see what this machine lacks';
  return new SandboxUnavailableError([{ capability: 'lifecycle', reason, remedy }], {}, { cause: error });
}
