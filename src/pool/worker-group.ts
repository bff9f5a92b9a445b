/**
 * The worker threads of a pool, as its main thread sees them: starts them, spreads runs over them, replaces those that
 * die, and stops them. Must not know runs beyond their number, nor what a worker does with one.
 */
import { debuglog } from 'node:util';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { describeThrown } from '../tools/describe-value.js';
import type { BackendChoice } from './backend-choice.js';
import { SandboxUnavailableError } from './errors.js';
import type { LinkOffer, RunReport, RunTask, WorkerMessage, WorkerSetup } from './messages.js';
import { WorkerLink } from './worker-link.js';

/** Longest time for a worker to get ready. A launcher takes milliseconds; a machine that swaps takes longer. */
const START_MS = 30_000;
/** How long a worker may take to stop what it has, before its thread is ended. The stop ladder takes 2 s at most. */
const STOP_MS = 3_000;

/** How long reports may take, once their workers have stopped everything. */
const LAST_REPORTS_MS = 1_000;

/** How long threads may take to load their code, once nobody wants them any more. */
const LOAD_MS = 5_000;

/** How long threads may take to end. Only one that is stuck outside of JavaScript takes long. */
const END_MS = 5_000;

const debug = debuglog('wardenpool');

/** What the group tells its pool. */
export interface WorkerGroupListener {
  onCall(link: WorkerLink, message: Extract<WorkerMessage, { type: 'call' }>): void;
  onLogs(message: Extract<WorkerMessage, { type: 'logs' }>): void;
  /** News of `link.state`; `before`: what was known until now. */
  onState(link: WorkerLink, before: WorkerLink['state']): void;
  /** A worker died without being asked to; another is being started. */
  onWorkerLost(link: WorkerLink): void;
}

interface Waiter {
  resolve(link: WorkerLink): void;
  reject(error: unknown): void;
}

export class WorkerGroup {
  readonly #piscina: Piscina<RunTask, RunReport>;
  readonly #listener: WorkerGroupListener;
  /** Workers that take runs, by thread. */
  readonly #links = new Map<number, WorkerLink>();
  /** Ready by its own word, and not yet by piscina's; or the other way round. */
  readonly #halfReady = new Map<number, WorkerLink | undefined>();
  /** Those who wait until there is a worker, at the start or while all are being replaced. */
  readonly #waiters = new Set<Waiter>();
  /** Threads that have loaded their code, by their id. */
  readonly #loaded = new Set<number>();
  #onLoaded: () => void = () => {};
  #onIdle: () => void = () => {};
  /** Of workers to come, too: piscina hands it to each when it starts. */
  readonly #setup: WorkerSetup;
  #target = 0;
  #lastRun = 0;
  #state: 'opening' | 'open' | 'closing' = 'opening';
  /** Why there will be no worker: one could not be started while the group was opening, or it is closing. */
  #unavailable: SandboxUnavailableError | undefined;

  private constructor(
    threads: number,
    concurrency: number,
    setup: WorkerSetup,
    listener: WorkerGroupListener,
  ) {
    this.#listener = listener;
    this.#setup = { ...setup };
    this.#piscina = new Piscina<RunTask, RunReport>({
      filename: workerFile(),
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: Math.ceil(concurrency / threads),
      // The default parks an idle worker in Atomics.wait, which would stop its event loop and every sandbox's bytes.
      atomics: 'disabled',
      recordTiming: false,
      workerData: this.#setup,
      // hand() decides which worker gets a run, so that a cancellation can be sent to the right one.
      loadBalancer: (_task, workers) => workers.find(({ id }) => id === this.#target) ?? null,
    });
    this.#piscina.on('message', (message: unknown) => this.#onParentMessage(message));
    this.#piscina.on('workerCreate', ({ id }: { id: number }) => this.#becomesReady(id, undefined));
    this.#piscina.on('error', (error: unknown) => this.#failWaiters(startFailure(error)));
  }

  /** All workers ready, or SandboxUnavailableError, with everything that had been started ended. */
  static async open(
    options: { threads: number; concurrency: number; setup: WorkerSetup },
    listener: WorkerGroupListener,
  ): Promise<WorkerGroup> {
    const group = new WorkerGroup(options.threads, options.concurrency, options.setup, listener);
    try {
      while (group.#links.size < options.threads) await group.#nextReady();
      group.#state = 'open';
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

  get links(): Iterable<WorkerLink> {
    return this.#links.values();
  }

  /** A worker with the fewest runs: of several, the one that has had the fewest. Undefined while there is none. */
  freest(): WorkerLink | undefined {
    let freest: WorkerLink | undefined;
    for (const link of this.#links.values()) {
      if (
        freest === undefined ||
        link.running < freest.running ||
        (link.running === freest.running && link.started < freest.started)
      ) {
        freest = link;
      }
    }
    return freest;
  }

  /** The same, once there is one. Rejects with SandboxUnavailableError if none gets ready in time. */
  async waitForFreest(): Promise<WorkerLink> {
    return this.freest() ?? this.#nextReady();
  }

  /**
   * Number of the next run that is handed over. Each worker gets its runs in the order of their numbers, which is how
   * it tells a cancellation that came early from one that came late.
   */
  nextRun(): number {
    return ++this.#lastRun;
  }

  /** Hands a run to a worker. Rejects if that worker dies. */
  async hand(link: WorkerLink, task: RunTask): Promise<RunReport> {
    link.started++;
    link.running++;
    try {
      this.#target = link.threadId;
      const report = await this.#piscina.run(task);
      this.#setState(link, report.worker);
      return report;
    } finally {
      link.running--;
      if (this.#inFlight() === 0) this.#onIdle();
    }
  }

  /** Ends everything, runs included, within a bound. Rejects if a thread does not end: something of it is left then. */
  async close(): Promise<void> {
    this.#state = 'closing';
    this.#failWaiters(startFailure(new Error('the pool was closed')));
    await Promise.all([...this.#links.values()].map((link) => link.close(STOP_MS)));
    await this.#idle();
    await this.#allLoaded();
    this.#links.clear();
    await endedWithin(this.#piscina.destroy(), END_MS);
  }

  /**
   * A thread that is ended while it loads an ES module by `require`, as piscina does, aborts the whole process (Node
   * 20.20: "Assertion failed: facade->InstantiateModule"); so, where one could not start, the others first get there.
   */
  #allLoaded(): Promise<void> {
    const areLoaded = () => this.#piscina.threads.every(({ threadId }) => this.#loaded.has(threadId));
    if (areLoaded()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOAD_MS);
      this.#onLoaded = () => {
        if (!areLoaded()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The reports of stopped runs are under way, on another port than the workers' last word: waits for them. */
  #idle(): Promise<void> {
    if (this.#inFlight() === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LAST_REPORTS_MS);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #inFlight(): number {
    let running = 0;
    for (const link of this.#links.values()) running += link.running;
    return running;
  }

  #nextReady(): Promise<WorkerLink> {
    if (this.#unavailable !== undefined) return Promise.reject(this.#unavailable);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve: (link) => this.#endWait(waiter, timer, () => resolve(link)),
        reject: (error) => this.#endWait(waiter, timer, () => reject(error)),
      };
      const late = new Error(`no worker got ready within ${START_MS} ms`);
      const timer = setTimeout(() => waiter.reject(startFailure(late)), START_MS);
      this.#waiters.add(waiter);
    });
  }

  #endWait(waiter: Waiter, timer: NodeJS.Timeout, settle: () => void): void {
    clearTimeout(timer);
    this.#waiters.delete(waiter);
    settle();
  }

  #failWaiters(error: SandboxUnavailableError): void {
    // While opening, everything must succeed, and a failure may come when nobody is waiting just then.
    if (this.#state !== 'open') this.#unavailable = error;
    for (const waiter of [...this.#waiters]) waiter.reject(error);
  }

  #onParentMessage(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('wardenpoolLink' in message)) return;
    const { wardenpoolLink, threadId } = message as LinkOffer<MessagePort>;
    debug('worker thread %d is started', threadId);
    new WorkerLink(threadId, wardenpoolLink, this.#onMessage, this.#onClosed);
    this.#loaded.add(threadId);
    this.#onLoaded();
  }

  readonly #onMessage = (link: WorkerLink, message: WorkerMessage): void => {
    switch (message.type) {
      case 'call':
        this.#listener.onCall(link, message);
        break;
      case 'logs':
        this.#listener.onLogs(message);
        break;
      case 'state':
        this.#setState(link, message.state);
        break;
      case 'ready':
        link.settle();
        if (!this.#agree(message)) break;
        this.#setState(link, message.state);
        this.#becomesReady(link.threadId, link);
        break;
      case 'unavailable':
        link.settle();
        this.#failWaiters(new SandboxUnavailableError(message.missing));
        break;
      case 'closed':
        break;
    }
  };

  /**
   * All workers of a group run on one backend: on the one that the first of them found, which those that start later are told
   * at once. Two that found out at the same time differ only where the machine refuses something now and then.
   */
  #agree({ backend, refused }: Extract<WorkerMessage, { type: 'ready' }>): boolean {
    if (this.#setup.backend === 'auto') Object.assign(this.#setup, { backend, refused });
    if (this.#setup.backend === backend) return true;
    const missing = [...this.#setup.refused, ...refused].flatMap((each) => each.missing);
    this.#failWaiters(new SandboxUnavailableError(missing));
    return false;
  }

  readonly #onClosed = (link: WorkerLink): void => {
    this.#halfReady.delete(link.threadId);
    this.#loaded.delete(link.threadId);
    this.#onLoaded();
    const isLost = this.#links.delete(link.threadId) && this.#state === 'open';
    debug('worker thread %d is gone%s', link.threadId, isLost ? ', and is being replaced' : '');
    if (isLost) this.#listener.onWorkerLost(link);
  };

  /** A worker takes runs once it has a link and piscina knows it as ready: the order of the two is open. */
  #becomesReady(threadId: number, link: WorkerLink | undefined): void {
    if (!this.#halfReady.has(threadId)) {
      this.#halfReady.set(threadId, link);
      return;
    }
    const ready = link ?? this.#halfReady.get(threadId);
    this.#halfReady.delete(threadId);
    if (ready === undefined) return;
    this.#links.set(threadId, ready);
    for (const waiter of [...this.#waiters]) waiter.resolve(ready);
  }

  #setState(link: WorkerLink, state: WorkerLink['state']): void {
    const before = link.state;
    link.state = state;
    this.#listener.onState(link, before);
  }
}

/** The worker's file as it is beside this one: compiled, or as TypeScript under a loader. */
function workerFile(): string {
  return new URL(`./worker/main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href;
}

async function endedWithin(end: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const problem = new Error(`the worker threads of a pool did not end within ${milliseconds} ms`);
    timer = setTimeout(() => reject(problem), milliseconds);
  });
  try {
    await Promise.race([end, late]);
  } finally {
    clearTimeout(timer);
  }
}

function startFailure(error: unknown): SandboxUnavailableError {
  const reason = `a worker thread could not be started: ${describeThrown(error)}`;
  const remedy = 'run `wardenpool doctor` to see what this machine lacks';
  return new SandboxUnavailableError([{ capability: 'lifecycle', reason, remedy }], {}, { cause: error });
}
