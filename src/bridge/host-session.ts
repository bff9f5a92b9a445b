/**
 * The host's side of one execution: a state machine between the bytes of one runner and the calls, logs and outcome
 * that the host acts on. It distrusts the runner: whatever breaks code-bridge-v1 ends the session as a violation.
 * Must not know processes, sandboxes or timers: it is told bytes, and says bytes.
 *
 *   created ──start──► awaiting-ready ──ready──► running ──execution.result──► settled ──ended──► ended
 *                            │                      │                             │
 *                            └──────────── anything the contract forbids ─────────┴──► violated
 */
import { encodeCancel, encodeExecute, frameBytes } from './encode.js';
import { FrameSplitter } from './frame-splitter.js';
import { JsonScanner } from './json-scanner.js';
import { LogMeter } from './log-meter.js';
import {
  BASE_LIMIT_KEYS,
  type BridgeError,
  type BridgeLimits,
  type BridgeMetrics,
  type BridgeWarning,
  DEFAULT_CONCURRENT_TOOL_CALLS,
  EXTENDED_LIMIT_KEYS,
  type ExecutionResultFrame,
  type Feature,
  type LogFrame,
  type LogLevel,
  ProtocolViolation,
  type ReadyFrame,
  type ToolCallFrame,
} from './protocol.js';
import { parseRunnerFrame } from './runner-frame.js';

export interface SessionOptions {
  executionId: string;
  /** Non-empty. */
  code: string;
  toolNames: readonly string[];
  /** Keys beyond the three of the base protocol need `limits` among the features. */
  limits: BridgeLimits;
  /** Longest frame in either direction, bytes, without its newline. */
  maxFrameBytes: number;
  /** Features to ask for. */
  features: readonly Feature[];
  /** What randomness and time follow from; see `seed` of an execute request. */
  seed?: string | undefined;
  /** Features without which this host does not go on; a runner that lacks one is a violation. Default: none. */
  requiredFeatures?: readonly Feature[];
}

export interface ToolCall {
  id: number;
  name: string;
  /** JSON text of an object. */
  argumentsText: string;
}

export interface SessionLog {
  level: LogLevel;
  text: string;
  /** From the runner, strictly increasing. */
  seq: number;
}

/** What the session tells its host. Called from within `start`, `receive`, `deliver`, `cancel` and `ended`. */
export interface SessionListener {
  /** Text to write to the runner: whole frames. */
  send(text: string): void;
  onToolCall(call: ToolCall): void;
  onLog(entry: SessionLog): void;
  /** The outcome stands unless the runner breaks the contract after it. At most once. */
  onTerminal(): void;
  /** The runner must be stopped: nothing more is read from it or sent to it. At most once. */
  onViolation(message: string): void;
}

export type SessionOutcome =
  /** `warnings`: the runner's own word, like everything that it says; absent when there are none. */
  | {
      kind: 'value';
      resultText: string | undefined;
      metrics: BridgeMetrics;
      warnings?: readonly BridgeWarning[];
    }
  | { kind: 'error'; error: BridgeError; metrics: BridgeMetrics; warnings?: readonly BridgeWarning[] }
  | { kind: 'violation'; message: string }
  /** No terminal frame. `partialFrame`: it stopped in the middle of a frame. */
  | { kind: 'none'; partialFrame: boolean };

type State = 'created' | 'awaiting-ready' | 'running' | 'settled' | 'ended' | 'violated';

export class HostSession {
  readonly #options: SessionOptions;
  readonly #listener: SessionListener;
  readonly #splitter: FrameSplitter;
  readonly #toolNames: ReadonlySet<string>;
  readonly #openCalls = new Set<number>();
  readonly #logs = new LogMeter();
  #state: State = 'created';
  #outcome: SessionOutcome = { kind: 'none', partialFrame: false };
  #features: ReadonlySet<Feature> = new Set();
  #limits: BridgeLimits;
  #calls = 0;
  #cancelSent = false;
  /** Of the frame that is coming in, if it does not come at once. */
  #scanner: JsonScanner | undefined;
  readonly #onFrame = (frame: Buffer): boolean => this.#handle(frame);
  readonly #onPart = (frameSoFar: Buffer): void => {
    if (this.#state === 'settled') return; // nothing may come any more, whatever it is
    this.#scanner ??= new JsonScanner();
    this.#scanner.scan(frameSoFar, frameSoFar.length);
  };

  constructor(options: SessionOptions, listener: SessionListener) {
    this.#options = options;
    this.#listener = listener;
    this.#splitter = new FrameSplitter(options.maxFrameBytes);
    this.#toolNames = new Set(options.toolNames);
    this.#limits = options.limits;
  }

  /** Tool calls so far. */
  get toolCalls(): number {
    return this.#calls;
  }

  /** True once the runner, or this session, has left out console output. */
  get logsTruncated(): boolean {
    return this.#logs.truncated;
  }

  /** Calls whose result was not delivered; once the session is over, it never will be. */
  get unanswered(): number[] {
    return [...this.#openCalls];
  }

  /** Final once `ended` or `onViolation` was called. */
  get outcome(): SessionOutcome {
    return this.#outcome;
  }

  /**
   * Sends `execute`. `executeFrame`: the frame, if the caller has encoded it already, to see whether it fits.
   */
  start(executeFrame: string = encodeExecute(this.#options)): void {
    if (this.#state !== 'created') throw new Error('HostSession.start: this session was started before');
    if (frameBytes(executeFrame) > this.#options.maxFrameBytes) {
      throw new RangeError('HostSession.start: the execute frame is longer than maxFrameBytes');
    }
    this.#state = 'awaiting-ready';
    this.#listener.send(executeFrame);
  }

  /** Bytes from the runner, as they come. */
  receive(chunk: Buffer): void {
    if (this.#isOver()) return;
    try {
      this.#splitter.push(chunk, this.#onFrame, this.#onPart);
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      this.#violate(error.message);
    }
  }

  /** The runner has closed its half, and everything it had sent was received. */
  ended(): void {
    if (this.#isOver()) return;
    const partialFrame = this.#splitter.pendingBytes > 0;
    if (this.#state === 'settled' && partialFrame) {
      this.#violate('bytes followed the terminal frame');
      return;
    }
    if (this.#state !== 'settled') this.#outcome = { kind: 'none', partialFrame };
    this.#state = 'ended';
  }

  /**
   * Sends a `tool.result` frame (see encode) for an open call. False when there is no such call any more: the
   * execution is over.
   */
  deliver(callId: number, frame: string): boolean {
    if (this.#state !== 'running' || !this.#openCalls.delete(callId)) return false;
    this.#listener.send(frame);
    return true;
  }

  /** Asks the runner to end: its terminal frame follows. Does nothing before `start`, twice, or once it has ended. */
  cancel(): void {
    if (this.#cancelSent || (this.#state !== 'awaiting-ready' && this.#state !== 'running')) return;
    this.#cancelSent = true;
    this.#listener.send(encodeCancel(this.#options.executionId));
  }

  /** The host found a violation that the session cannot see, such as a runner that reads nothing. */
  violate(message: string): void {
    if (!this.#isOver()) this.#violate(message);
  }

  #violate(message: string): void {
    this.#state = 'violated';
    this.#outcome = { kind: 'violation', message: `The runner broke code-bridge-v1: ${message}.` };
    this.#listener.onViolation(message);
  }

  #handle(bytes: Buffer): boolean {
    if (this.#state === 'settled') throw new ProtocolViolation('a frame followed the terminal frame');
    const frame = parseRunnerFrame(bytes, this.#options.executionId, this.#scanner);
    this.#scanner = undefined;
    switch (frame.type) {
      case 'ready':
        if (this.#state !== 'awaiting-ready') throw new ProtocolViolation('a second ready frame');
        this.#ready(frame);
        break;
      case 'tool.call':
        this.#requireReady(frame.type);
        this.#toolCall(frame);
        break;
      case 'log':
        this.#requireReady(frame.type);
        this.#log(frame);
        break;
      case 'execution.result':
        // A failure may come first: an execution can be cancelled, or run out of time, before it is ready.
        if (frame.ok) this.#requireReady(frame.type);
        this.#terminal(frame);
        break;
    }
    // A listener may have ended this session from within its callback.
    return !this.#isOver();
  }

  #isOver(): boolean {
    return this.#state === 'violated' || this.#state === 'ended';
  }

  #requireReady(type: string): void {
    if (this.#state !== 'running') throw new ProtocolViolation(`a ${type} frame came before ready`);
  }

  #ready(frame: ReadyFrame): void {
    for (const feature of frame.features) {
      if (!this.#options.features.includes(feature)) {
        throw new ProtocolViolation(`ready grants the feature ${feature}, which was not asked for`);
      }
    }
    for (const feature of this.#options.requiredFeatures ?? []) {
      if (!frame.features.has(feature)) throw new ProtocolViolation(`ready lacks the feature ${feature}`);
    }
    this.#limits = this.#agreedLimits(frame);
    this.#features = frame.features;
    this.#state = 'running';
  }

  /** Only limits that were asked for and answered: a runner cannot give itself any. */
  #agreedLimits(frame: ReadyFrame): BridgeLimits {
    const requested = this.#options.limits;
    const effective = frame.effectiveLimits;
    const agreed: BridgeLimits = { timeoutMs: 0, maxToolCalls: 0, maxResultBytes: 0 };
    for (const key of BASE_LIMIT_KEYS) agreed[key] = notLarger(key, effective[key], requested[key]);
    if (!frame.features.has('limits')) return agreed;
    for (const key of EXTENDED_LIMIT_KEYS) {
      const asked = requested[key];
      if (asked !== undefined) agreed[key] = notLarger(key, effective[key], asked);
    }
    return agreed;
  }

  #toolCall(frame: ToolCallFrame): void {
    const { id, name } = frame;
    if (id !== this.#calls + 1) {
      throw new ProtocolViolation(`tool call ${id} follows tool call ${this.#calls}`);
    }
    if (id > this.#limits.maxToolCalls) {
      throw new ProtocolViolation(`a tool call is over the quota of ${this.#limits.maxToolCalls}`);
    }
    if (!this.#toolNames.has(name))
      throw new ProtocolViolation('a tool call names a tool that was not declared');
    const most = this.#features.has('parallel-tools')
      ? (this.#limits.maxConcurrentToolCalls ?? DEFAULT_CONCURRENT_TOOL_CALLS)
      : 1;
    if (this.#openCalls.size >= most) {
      throw new ProtocolViolation(`more than ${most} tool calls are outstanding at once`);
    }
    this.#calls = id;
    this.#openCalls.add(id);
    this.#listener.onToolCall({ id, name, argumentsText: frame.argumentsText });
  }

  #log(frame: LogFrame): void {
    if (!this.#features.has('console')) {
      throw new ProtocolViolation('a log frame came without the feature console');
    }
    if (!this.#logs.admit(frame, this.#limits.maxLogBytes)) return;
    this.#listener.onLog({ level: frame.level, text: frame.text, seq: frame.seq });
  }

  #terminal(frame: ExecutionResultFrame): void {
    // A call over the quota is counted by some runners, though it was never sent.
    if (frame.metrics.toolCalls < this.#calls || frame.metrics.toolCalls > this.#limits.maxToolCalls + 1) {
      throw new ProtocolViolation('metrics.toolCalls does not fit the calls that were made');
    }
    const { warnings } = frame;
    this.#outcome = {
      ...(frame.ok
        ? this.#value(frame.resultText, frame.metrics)
        : this.#failure(frame.error, frame.metrics)),
      ...(this.#features.has('errors') && warnings.length > 0 && { warnings }),
    };
    this.#state = 'settled';
    this.#listener.onTerminal();
  }

  #value(resultText: string | undefined, metrics: BridgeMetrics): SessionOutcome {
    if (resultText === undefined && !this.#features.has('undefined')) {
      throw new ProtocolViolation('an execution.result frame with ok: true has no result');
    }
    const most = this.#limits.maxResultBytes;
    if (resultText !== undefined && Buffer.byteLength(resultText) > most) {
      throw new ProtocolViolation(`the result is longer than ${most} bytes`);
    }
    return { kind: 'value', resultText, metrics };
  }

  #failure(error: BridgeError, metrics: BridgeMetrics): SessionOutcome {
    if (error.kind === 'limit') {
      const { code, limit, attempted } = error;
      const expected = this.#limits.maxToolCalls;
      if (code !== 'TOOL_CALL_LIMIT_EXCEEDED' || limit !== expected || attempted !== expected + 1) {
        throw new ProtocolViolation('an error of kind limit does not describe the tool call quota');
      }
    }
    return { kind: 'error', error, metrics };
  }
}

function notLarger(key: string, effective: number | undefined, requested: number): number {
  if (effective === undefined) throw new ProtocolViolation(`effectiveLimits does not answer ${key}`);
  if (effective > requested) {
    throw new ProtocolViolation(
      `effectiveLimits.${key} is ${effective}, larger than the ${requested} requested`,
    );
  }
  return effective;
}
