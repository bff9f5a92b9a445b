/**
 * One run on a worker thread: a session and a sandbox, brought together. It owns every timer of the run, and ends only
 * when the sandbox has been reaped. Must not know the other runs, tools or the queue.
 */
import { type ExecuteRequest, encodeExecute } from '../../bridge/encode.js';
import {
  HostSession,
  type SessionListener,
  type SessionLog,
  type ToolCall,
} from '../../bridge/host-session.js';
import { type BridgeLimits, FEATURES } from '../../bridge/protocol.js';
import type { LimitEnforcer } from '../../executor/receipt.js';
import type { Sandbox, SandboxEnd, SandboxListener } from '../../executor/sandbox.js';
import type { ReceiptContext } from '../../executor/sandbox-receipt.js';
import { explain } from '../../source/explain.js';
import type { Reading } from '../../source/reading.js';
import type { RunReport, RunTask, WorkerMessage, WorkerState } from '../messages.js';
import type { LogEntry, RunError } from '../run-result.js';
import type { Program } from './programs.js';
import { refusalOfFrame, refusalOfText } from './refusal.js';
import { verdict } from './verdict.js';

/** The runner ends a program at its wall limit; this much later the host does. */
const BACKSTOP_MS = 250;
/** How long a runner may take to exit after its terminal frame. Where a thousand end at once, each takes seconds. */
const EXIT_MS = 10_000;
/** Results that a runner was sent and has not read, beyond the calls it may have outstanding; as code-bridge-v1 has it. */
const UNDELIVERED_FRAMES = 8;

export class Execution implements SandboxListener, SessionListener {
  readonly #task: RunTask;
  readonly #post: (message: WorkerMessage) => void;
  readonly #request: ExecuteRequest;
  readonly #session: HostSession;
  readonly #logs: LogEntry[] = [];
  #sandbox: Sandbox | undefined;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #lastWordAt = 0;
  #messages = 0;
  #cancelled: 'cancelled' | 'closed' | undefined;
  #deadlineMissed = false;
  #exitMissed = false;
  #onReaped: (end: SandboxEnd) => void = () => {};

  /** `post`: to the main thread, over the link. */
  constructor(task: RunTask, post: (message: WorkerMessage) => void) {
    this.#task = task;
    this.#post = post;
    const { executionId, code, toolNames, limits, seed } = task;
    const { maxFrameBytes } = limits;
    this.#request = { executionId, code, toolNames, limits: bridgeLimits(task), features: FEATURES, seed };
    this.#session = new HostSession({ ...this.#request, maxFrameBytes, requiredFeatures: FEATURES }, this);
  }

  /**
   * Runs the program in `sandbox`, which is used up by it. `program`: what the code of the task was read as. `state` is
   * asked at the end. Does not reject.
   */
  async run(sandbox: Sandbox, program: Program, state: () => WorkerState): Promise<RunReport> {
    const { reading } = program;
    const start = this.#executeFrame(reading);
    this.#sandbox = sandbox;
    const end = await new Promise<SandboxEnd>((resolve) => {
      this.#onReaped = resolve;
      this.#start(sandbox, program, start.frame);
    });
    clearTimeout(this.#timer);
    const { outcome } = this.#session;
    const last = outcome.kind === 'value' || outcome.kind === 'error' ? outcome : undefined;
    return {
      outcome:
        start.refusal === undefined ? this.#verdict(end, reading) : { kind: 'error', error: start.refusal },
      messages: this.#messages,
      logs: this.#logs,
      logsTruncated: this.#session.logsTruncated,
      warnings: last?.warnings ?? [],
      unanswered: this.#session.unanswered,
      openCalls: last?.metrics.openToolCalls ?? 0,
      program: { language: reading.language, rule: reading.rule },
      usage: {
        spawnMs: sandbox.spawnMs,
        runMs: this.#lastWordAt - this.#startedAt,
        cpuMs: end.cpuMs,
        peakMemoryBytes: last?.metrics.peakMemoryBytes ?? end.peakRssBytes,
      },
      sandbox: { receipt: end.receipt, source: sandbox.source },
      worker: state(),
    };
  }

  /** Ends the run from outside, before or after it has a sandbox. Idempotent. */
  cancel(reason: 'cancelled' | 'closed'): void {
    if (this.#cancelled === 'closed' || this.#cancelled === reason) return;
    this.#cancelled = reason;
    if (this.#sandbox !== undefined) this.#stop(this.#sandbox, reason);
  }

  /** A tool.result frame for call `id`. Dropped if the program is over. */
  deliver(id: number, frame: string): void {
    const sandbox = this.#sandbox;
    if (sandbox === undefined) return;
    const { maxConcurrentToolCalls, maxFrameBytes } = this.#task.limits;
    if (sandbox.pendingBytes > (maxConcurrentToolCalls + UNDELIVERED_FRAMES) * maxFrameBytes) {
      this.#session.violate('it does not read the results of its tool calls');
      return;
    }
    this.#session.deliver(id, frame);
  }

  /** The frame that starts the program, or why it is not to run at all. */
  #executeFrame(reading: Reading): { frame?: string; refusal?: RunError } {
    const textRefusal = refusalOfText(this.#task, reading);
    if (textRefusal !== undefined) return { refusal: textRefusal };
    const frame = encodeExecute({ ...this.#request, code: reading.text });
    const refusal = refusalOfFrame(frame, this.#task.limits);
    return refusal === undefined ? { frame } : { refusal };
  }

  /** Without `frame`, nothing of the program reaches the sandbox. */
  #start(sandbox: Sandbox, program: Program, frame: string | undefined): void {
    const { limits } = this.#task;
    this.#startedAt = this.#lastWordAt = performance.now();
    sandbox.start(this, receiptContext(this.#task, program));
    if (this.#cancelled !== undefined) {
      settled(sandbox.kill(this.#cancelled));
      return;
    }
    if (frame === undefined) {
      sandbox.endInput();
      this.#awaitExit();
      return;
    }
    this.#timer = setTimeout(this.#onDeadline, limits.timeoutMs + BACKSTOP_MS);
    this.#session.start(frame);
  }

  #verdict(end: SandboxEnd, reading: Reading): RunReport['outcome'] {
    const { code, toolNames, limits } = this.#task;
    const outcome = verdict(this.#session.outcome, end, {
      deadlineMissed: this.#deadlineMissed,
      // Of this clock, which starts before the runner's.
      deadlinePassed: this.#lastWordAt - this.#startedAt >= limits.timeoutMs,
      exitMissed: this.#exitMissed,
      cancelled: this.#cancelled !== undefined,
      timeoutMs: limits.timeoutMs,
    });
    if (outcome.kind !== 'error') return outcome;
    const { error } = outcome;
    return { kind: 'error', error: { ...error, ...explain(error, reading, code, toolNames) } };
  }

  #stop(sandbox: Sandbox, reason: 'cancelled' | 'closed'): void {
    if (reason === 'closed') settled(sandbox.kill(reason));
    else settled(sandbox.stop(reason, () => this.#session.cancel()));
  }

  readonly #onDeadline = (): void => {
    this.#deadlineMissed = true;
    if (this.#sandbox !== undefined) settled(this.#sandbox.kill('deadline'));
  };

  readonly #onExitOverdue = (): void => {
    this.#exitMissed = true;
    if (this.#sandbox !== undefined) settled(this.#sandbox.kill('deadline'));
  };

  // SandboxListener

  onData(chunk: Buffer): void {
    this.#session.receive(chunk);
  }

  onEnd(): void {
    this.#session.ended();
    if (this.#session.outcome.kind === 'none') this.#awaitExit();
  }

  onExit(end: SandboxEnd): void {
    this.#onReaped(end);
  }

  // SessionListener

  send(text: string): void {
    this.#sandbox?.write(text);
  }

  onToolCall(call: ToolCall): void {
    this.#messages++;
    this.#post({
      type: 'call',
      run: this.#task.run,
      id: call.id,
      name: call.name,
      argumentsText: call.argumentsText,
      logs: this.#logs.splice(0),
    });
  }

  onLog({ level, text, seq }: SessionLog): void {
    const entry: LogEntry = { level, text, seq, ms: performance.now() - this.#startedAt };
    if (!this.#task.streamLogs) {
      this.#logs.push(entry);
      return;
    }
    this.#messages++;
    this.#post({ type: 'logs', run: this.#task.run, logs: [entry] });
  }

  onTerminal(): void {
    this.#sandbox?.awaitExit();
    this.#awaitExit();
  }

  onViolation(): void {
    this.#lastWordAt = performance.now();
    if (this.#sandbox !== undefined) settled(this.#sandbox.kill('violation'));
  }

  #awaitExit(): void {
    this.#lastWordAt = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onExitOverdue, EXIT_MS);
  }
}

/** What a run adds to the receipt of its sandbox, or to that of the sandbox that it could not have. */
export function receiptContext(
  { executionId, labels, limits, traceId }: RunTask,
  { codeDigest, programDigest }: Program,
): ReceiptContext {
  return {
    executionId,
    labels,
    codeDigest,
    programDigest,
    limits: { ...limits },
    limitedBy: LIMITED_BY,
    ...(traceId !== undefined && { traceId }),
  };
}

/** The others, `maxFrameBytes` and `maxCodeBytes`, are checked by the host itself. */
const LIMITED_BY: Record<string, LimitEnforcer> = {
  timeoutMs: 'engine',
  cpuMs: 'engine',
  maxToolCalls: 'engine',
  maxConcurrentToolCalls: 'engine',
  maxResultBytes: 'engine',
  memoryBytes: 'engine',
  stackBytes: 'engine',
  maxLogBytes: 'engine',
};

/** The limits that the runner is told; the pool enforces the others itself. */
function bridgeLimits({ limits }: RunTask): BridgeLimits {
  const { maxFrameBytes: _frame, maxCodeBytes: _code, ...bridge } = limits;
  return bridge;
}

/**
 * A stop that is under way: the end of the sandbox arrives as its last event, and a tree that outlived the ladder is in
 * the receipt, so that there is nothing to do when the promise settles.
 */
function settled(stop: Promise<void>): void {
  stop.catch(() => {});
}
