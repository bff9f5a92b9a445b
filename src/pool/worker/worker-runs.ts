/**
 * The runs of one worker thread: each gets a sandbox of the thread's executor, and what the main thread says about a
 * run finds it by its number. Must not know frames or tools.
 */
import { SpawnFailed } from '../../executor/errors.js';
import type { Executor } from '../../executor/executor.js';
import type { Receipt } from '../../executor/receipt.js';
import type { HostMessage, RunReport, RunTask, WorkerMessage, WorkerState } from '../messages.js';
import { Execution, receiptContext } from './execution.js';
import { runFailure } from './failures.js';
import { PendingProgram, type Program, type Programs } from './programs.js';

/** How long after the last run the state is sent once more: the warm set has been refilled by then. */
const IDLE_STATE_MS = 100;

export class WorkerRuns {
  readonly #executor: Executor;
  readonly #programs: Programs;
  readonly #post: (message: WorkerMessage) => void;
  readonly #runs = new Map<number, Execution>();
  /** Of the runs whose texts are being read. */
  readonly #reading = new Map<number, PendingProgram>();
  /** Of all tasks that came. They come in the order of their numbers. */
  #lastRun = 0;
  /** Runs that were cancelled before their task came: the link and piscina's port keep no common order. */
  readonly #cancelledEarly = new Map<number, 'cancelled' | 'closed'>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(executor: Executor, programs: Programs, post: (message: WorkerMessage) => void) {
    this.#executor = executor;
    this.#programs = programs;
    this.#post = post;
  }

  get state(): WorkerState {
    const { warm, launcherRestarts } = this.#executor.stats;
    const { problem } = this.#executor;
    return { warm, launcherRestarts, ...(problem !== undefined && { problem }) };
  }

  /** One piscina task. */
  readonly run = async (task: RunTask): Promise<RunReport> => {
    clearTimeout(this.#idleTimer);
    this.#lastRun = task.run;
    const execution = new Execution(task, this.#post);
    const cancelled = this.#cancelledEarly.get(task.run);
    this.#cancelledEarly.delete(task.run);
    this.#runs.set(task.run, execution);
    if (cancelled !== undefined) execution.cancel(cancelled);
    const read = this.#programs.read(task);
    if (cancelled !== undefined && read instanceof PendingProgram) read.cancel();
    const program = read instanceof PendingProgram ? await this.#programOf(task, read) : read;
    try {
      const sandbox = await this.#executor.acquire();
      return await execution.run(sandbox, program, () => this.state);
    } catch (error) {
      const refusal =
        error instanceof SpawnFailed
          ? this.#executor.receiptOf(error, receiptContext(task, program))
          : undefined;
      return this.#withoutSandbox(program, { kind: 'failure', failure: runFailure(error) }, refusal);
    } finally {
      this.#runs.delete(task.run);
      if (this.#runs.size === 0) this.#idleTimer = setTimeout(this.postState, IDLE_STATE_MS).unref();
    }
  };

  readonly onHostMessage = (message: HostMessage): void => {
    switch (message.type) {
      case 'result':
        this.#runs.get(message.run)?.deliver(message.id, message.frame);
        break;
      case 'cancel': {
        const execution = this.#runs.get(message.run);
        this.#reading.get(message.run)?.cancel();
        if (execution !== undefined) execution.cancel(message.reason);
        else if (message.run > this.#lastRun) this.#cancelledEarly.set(message.run, message.reason);
        break;
      }
      case 'ping':
        this.#post({ type: 'pong' });
        break;
      case 'close':
        clearTimeout(this.#idleTimer);
        this.#close().then(this.#postClosed, this.#postClosed);
        break;
    }
  };

  async #programOf({ run }: RunTask, pending: PendingProgram): Promise<Program> {
    this.#reading.set(run, pending);
    const program = await pending.program;
    this.#reading.delete(run);
    return program;
  }

  readonly postState = (): void => this.#post({ type: 'state', state: this.state });

  readonly #postClosed = (): void => this.#post({ type: 'closed' });

  async #close(): Promise<void> {
    await Promise.all([this.#executor.close(), this.#programs.close()]);
  }

  #withoutSandbox(
    { reading }: Program,
    outcome: RunReport['outcome'],
    refusal: Receipt | undefined,
  ): RunReport {
    return {
      outcome,
      messages: 0,
      logs: [],
      logsTruncated: false,
      warnings: [],
      unanswered: [],
      openCalls: 0,
      program: { language: reading.language, rule: reading.rule },
      usage: { spawnMs: 0, runMs: 0, cpuMs: 0, peakMemoryBytes: 0 },
      ...(refusal !== undefined && { refusal }),
      worker: this.state,
    };
  }
}
