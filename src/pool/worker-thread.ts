/**
 * One worker thread, from its start to its end: its port, its runs, and what is known of it. Which event of its life leads where is in
 * `worker-transitions.ts`. Must not know runs beyond their number, nor what becomes of the pool when it ends.
 */
import { debuglog } from 'node:util';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { describeThrown } from '../tools/describe-value.js';
import { SandboxUnavailableError } from './errors.js';
import { Heartbeat, SILENT_SECONDS } from './heartbeat.js';
import type {
  HostMessage,
  LinkOffer,
  RunReport,
  RunTask,
  WorkerMessage,
  WorkerSetup,
  WorkerState,
} from './messages.js';
import {
  WORKER_TRANSITIONS,
  WORKER_WAIT_MS,
  type WorkerAction,
  type WorkerEvent,
  type WorkerLife,
} from './worker-transitions.js';

const debug = debuglog('wardenpool');

type ReadyMessage = Extract<WorkerMessage, { type: 'ready' }>;

export interface WorkerThreadListener {
  onCall(thread: WorkerThread, message: Extract<WorkerMessage, { type: 'call' }>): void;
  onLogs(message: Extract<WorkerMessage, { type: 'logs' }>): void;
  /** News of `thread.state`; `before`: what was known until now. */
  onState(thread: WorkerThread, before: WorkerState): void;
  /** It ended without being asked to, after it had taken runs; nothing more comes from it. */
  onWorkerLost(thread: WorkerThread): void;
}

export interface WorkerThreadOptions {
  setup: WorkerSetup;
  /** Runs that it may have at once. */
  concurrency: number;
  listener: WorkerThreadListener;
  /** Undefined if the thread may take runs with what it has come to; else why not. */
  refuse(message: ReadyMessage): SandboxUnavailableError | undefined;
  /** It takes no more runs, whoever wanted that: it has ended, or is being ended. */
  onEnd(): void;
}

export class WorkerThread {
  readonly threadId: number;
  readonly #options: WorkerThreadOptions;
  /** A pool of one: it carries tasks and reports, and which thread gets a run is decided before. */
  readonly #piscina: Piscina<RunTask, RunReport>;
  readonly #heartbeat: Heartbeat;
  readonly #ready: Promise<void>;
  readonly #ended: Promise<void>;
  #resolveReady: () => void = () => {};
  #rejectReady: (error: Error) => void = () => {};
  #resolveEnded: () => void = () => {};
  #life: WorkerLife = 'loading';
  #timer: NodeJS.Timeout | undefined;
  #port: MessagePort | undefined;
  /** Why it ended, or is about to: the first that was heard of. */
  #problem: Error | undefined;
  #hasTakenRuns = false;
  #isClosing = false;
  #hasStopped = false;
  /** Runs that were handed to it, and that it has now. */
  started = 0;
  running = 0;
  state: WorkerState = { warm: 0, launcherRestarts: 0 };

  /** Starts it. Until it is ready it keeps the process alive; an idle one does not. */
  constructor(options: WorkerThreadOptions) {
    this.#options = options;
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    this.#ready.catch(() => {});
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#heartbeat = new Heartbeat({
      isNeeded: () => this.running > 0,
      ask: () => this.post({ type: 'ping' }),
      onSilent: () => this.#fail('silent', `it did not answer for ${SILENT_SECONDS} s, and was ended`),
    });
    this.#piscina = new Piscina<RunTask, RunReport>({
      filename: workerFile(),
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: options.concurrency,
      // The default parks an idle worker in Atomics.wait, which would stop its event loop and every sandbox's bytes.
      atomics: 'disabled',
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
      workerData: options.setup,
    });
    const [thread] = this.#piscina.threads;
    if (thread === undefined) throw new Error('piscina has started no thread');
    this.threadId = thread.threadId;
    this.#piscina.on('message', (message: unknown) => this.#onOffer(message));
    // One that ends is replaced by whoever wants another, and not by piscina, which would start one that nobody knows.
    this.#piscina.options.minThreads = 0;
    this.#piscina.on('error', () => {}); // the thread says so itself
    thread.once('error', (error: unknown) => this.#fail('failed', `it failed: ${describeThrown(error)}`));
    thread.once('exit', (code) => this.#fail('exited', `it exited with code ${code}`));
    this.#await();
  }

  /** Rejects, when it has ended before it was ready, with SandboxUnavailableError or with what it failed by. */
  whenReady(): Promise<void> {
    return this.#ready;
  }

  /**
   * Hands it a run. Rejects if it ends before it has reported, when nothing of it is left; the error says why it ended. Runs are to be
   * handed in the order of their numbers: that is how the thread tells a cancellation that came early from one that came late.
   */
  async run(task: RunTask): Promise<RunReport> {
    if (this.#life !== 'ready') throw this.#problem ?? new Error('it is not there any more');
    this.started++;
    this.running++;
    this.#heartbeat.begin();
    try {
      const report = await this.#piscina.run(task);
      this.#setState(report.worker);
      return report;
    } catch (error) {
      if (this.#life === 'ready') throw error;
      await this.#ended;
      throw this.#problem ?? error;
    } finally {
      this.running--;
      this.#mayHaveStopped();
    }
  }

  /** Resolves when it has ended, or did not in time. */
  whenEnded(): Promise<void> {
    return this.#ended;
  }

  post(message: HostMessage): void {
    this.#port?.postMessage(message);
  }

  /**
   * Ends it at any time, runs included, in bounded time. Rejects if it did not end: something of it is left then.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#step('close');
    await this.#ended;
    if (this.#life === 'stuck')
      throw new Error(`a worker thread of a pool did not end within ${WORKER_WAIT_MS.ending} ms`);
  }

  #onOffer(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('wardenpoolLink' in message)) return;
    const { wardenpoolLink: port } = message as LinkOffer<MessagePort>;
    this.#port = port;
    debug('worker thread %d is started', this.threadId);
    port.on('message', (each: WorkerMessage) => this.#onMessage(each));
    port.on('close', () => {
      this.#step('failed'); // it is about to exit, and then says why
      if (this.#hasTakenRuns && !this.#isClosing) this.#options.listener.onWorkerLost(this);
    });
    this.#step('loaded');
  }

  #onMessage(message: WorkerMessage): void {
    this.#heartbeat.heard();
    switch (message.type) {
      case 'call':
        this.#options.listener.onCall(this, message);
        break;
      case 'logs':
        this.#options.listener.onLogs(message);
        break;
      case 'state':
        this.#setState(message.state);
        break;
      case 'ready': {
        const refusal = this.#options.refuse(message);
        this.#problem ??= refusal;
        this.#setState(message.state);
        this.#step(refusal === undefined ? 'ready' : 'refused');
        break;
      }
      case 'unavailable':
        this.#problem ??= new SandboxUnavailableError(message.missing);
        this.#step('refused');
        break;
      case 'closed':
        this.#hasStopped = true;
        this.#mayHaveStopped();
        break;
      case 'pong':
        break;
    }
  }

  /** The reports of stopped runs are on another port than its last word. */
  #mayHaveStopped(): void {
    if (this.#hasStopped && this.running === 0) this.#step('stopped');
  }

  #setState(state: WorkerState): void {
    const before = this.state;
    this.state = state;
    this.#options.listener.onState(this, before);
  }

  #fail(event: WorkerEvent, why: string): void {
    this.#problem ??= new Error(why);
    this.#step(event);
  }

  #step(event: WorkerEvent): void {
    const transition = WORKER_TRANSITIONS[this.#life][event];
    if (transition === undefined) return;
    this.#life = transition.to;
    this.#await();
    if (transition.action !== undefined) this.#act(transition.action);
  }

  #await(): void {
    clearTimeout(this.#timer);
    const waitMs = WORKER_WAIT_MS[this.#life];
    if (waitMs === undefined) return;
    const why = `it did not get any further for ${waitMs} ms while it was ${this.#life}`;
    this.#timer = setTimeout(() => this.#fail('expired', why), waitMs);
  }

  #act(action: WorkerAction): void {
    switch (action) {
      case 'announce':
        this.#hasTakenRuns = true;
        // From here on piscina keeps the process alive, while there are runs.
        this.#port?.unref();
        this.#resolveReady();
        break;
      case 'ask':
        this.#port?.ref();
        this.post({ type: 'close' });
        break;
      case 'terminate':
        this.#heartbeat.end();
        void this.#piscina.destroy();
        this.#options.onEnd();
        break;
      case 'settle':
        this.#heartbeat.end();
        debug(
          'worker thread %d is gone%s',
          this.threadId,
          this.#hasTakenRuns && !this.#isClosing ? ', and is being replaced' : '',
        );
        this.#rejectReady(this.#problem ?? new Error('it was ended'));
        this.#resolveEnded();
        this.#options.onEnd();
        break;
    }
  }
}

/** The worker's file as it is beside this one: compiled, or as TypeScript under a loader. */
function workerFile(): string {
  return new URL(`./worker/entry${import.meta.url.endsWith('.ts') ? '.cts' : '.cjs'}`, import.meta.url).href;
}
