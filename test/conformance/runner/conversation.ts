/**
 * One process of the runner under test, and the host's end of its socket. Everything that the runner says is held
 * against the contract as it comes; what it did wrong fails the case when that next waits for it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { DEFAULT_FRAME_BYTES, encodeFrame, FrameSplitter, parseFrame, VERSION } from '../wire/frames.js';
import { keepReading } from '../wire/keep-reading.mjs';
import { type Agreement, Contract } from './contract.js';
import { frameOf, type RunnerFrame } from './frames.js';

export interface Subject {
  command: string;
  arguments: readonly string[];
}

export interface Setup {
  /** Options of the runner's command line. */
  options?: readonly string[];
  /** The number of the socket in the runner; its `--fd` has to be among the options, unless it is 3. */
  descriptor?: number;
}

export interface Ending {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  frames: readonly RunnerFrame[];
  terminal: RunnerFrame | undefined;
}

/** Bytes of stdout and stderr that are kept. */
const KEPT_BYTES = 65_536;
const SHOWN_FRAMES = 12;
const SIGTERM_BIT = 1n << 14n;

/** The signals that a process catches, and those that it blocks; nothing if it is gone. */
function signalMasks(pid: number): bigint[] {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return [];
  }
  return [...status.matchAll(/^Sig(?:Cgt|Blk):\s*([0-9a-f]+)$/gm)].map((match) => BigInt(`0x${match[1]}`));
}

function frameLimitOf(options: readonly string[]): number {
  const index = options.indexOf('--max-frame-bytes');
  return index === -1 ? DEFAULT_FRAME_BYTES : Number(options[index + 1]);
}

export class Conversation {
  readonly frames: RunnerFrame[] = [];
  readonly #process: ChildProcess;
  readonly #socket: Socket;
  readonly #ended: Promise<Ending>;
  readonly #splitter = new FrameSplitter();
  readonly #maxFrameBytes: number;
  readonly #output = { stdout: '', stderr: '' };
  #contract: Contract | undefined;
  #breach: string | undefined;
  #isOver = false;
  #waiting: (() => void)[] = [];

  constructor(subject: Subject, { options = [], descriptor = 3 }: Setup = {}) {
    this.#maxFrameBytes = frameLimitOf(options);
    const between = Array.from({ length: descriptor - 3 }, () => 'ignore' as const);
    this.#process = spawn(subject.command, [...subject.arguments, ...options], {
      stdio: ['ignore', 'pipe', 'pipe', ...between, 'pipe'],
    });
    this.#socket = this.#process.stdio[descriptor] as Socket;
    keepReading(this.#socket);
    this.#socket.on('error', () => {}); // how the process ended is what counts
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    for (const name of ['stdout', 'stderr'] as const) {
      this.#process[name]?.setEncoding('utf8').on('data', (text: string) => {
        if (this.#output[name].length < KEPT_BYTES) this.#output[name] += text;
      });
    }
    this.#ended = this.#end();
    // A case may fail before it waits for the end.
    this.#ended.catch(() => {});
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error('the runner could not be started');
    return pid;
  }

  /** From here on the runner is judged by what this `execute` frame asks for. */
  agree(agreement: Agreement): this {
    this.#contract = new Contract(agreement);
    return this;
  }

  send(frame: Record<string, unknown>): this {
    return this.write(encodeFrame({ version: VERSION, ...frame }));
  }

  /** What is written in one turn of the event loop leaves in one piece. */
  write(bytes: string | Uint8Array): this {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    this.#socket.write(bytes);
    return this;
  }

  /** The result of a call; undefined leaves `result` out. */
  answer(id: number | undefined, result: unknown): this {
    return this.answered(id).send({ type: 'tool.result', id, ok: true, result });
  }

  fail(id: number | undefined, code: string, message: string): this {
    return this.answered(id).send({ type: 'tool.result', id, ok: false, error: { code, message } });
  }

  /** The case is about to write the result of this call by itself. */
  answered(id: number | undefined): this {
    this.#contract?.answered(id ?? 0);
    return this;
  }

  cancel(executionId = 'e-1'): this {
    return this.send({ type: 'cancel', executionId });
  }

  /** Ends the host's half. What the runner still sends arrives. */
  endInput(): this {
    this.#socket.end();
    return this;
  }

  /** Closes both halves at once, as a host does that dies. */
  hangUp(): this {
    this.#socket.destroy();
    return this;
  }

  stopReading(): this {
    this.#socket.pause();
    return this;
  }

  continueReading(): this {
    this.#socket.resume();
    return this;
  }

  /** A child that was never started has no pid: Node may send the signal to our own process group. */
  signal(signal: NodeJS.Signals): this {
    if (this.#process.pid !== undefined) this.#process.kill(signal);
    return this;
  }

  /** The frame of this type and number (from 0), once it is there. Rejects if the runner ends without it. */
  async frame(type: RunnerFrame['type'], index = 0): Promise<RunnerFrame> {
    for (;;) {
      const found = this.frames.filter((frame) => frame.type === type)[index];
      if (this.#breach === undefined && found !== undefined) return found;
      if (this.#breach !== undefined || this.#isOver) {
        await this.#ended;
        throw new Error(
          `the runner ended without its ${type} frame number ${index + 1}\n${this.transcript()}`,
        );
      }
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** Until a part of a frame has come that follows `ready`. */
  async frameBegun(): Promise<void> {
    await this.frame('ready');
    while (this.#splitter.rest.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** Until the runner can be sent signals that it wants to handle itself. */
  async handlesSignals(): Promise<void> {
    for (;;) {
      if (this.#isOver || signalMasks(this.pid).some((mask) => (mask & SIGTERM_BIT) !== 0n)) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The exit code, even while the host does not read. */
  async exited(): Promise<number | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null)
      await once(this.#process, 'exit');
    return this.#process.exitCode;
  }

  /** How the process ended, once it has and all that it sent was received. Rejects if it broke the contract. */
  ended(): Promise<Ending> {
    return this.#ended;
  }

  dispose(): void {
    this.signal('SIGKILL');
    this.#socket.destroy();
  }

  /** What was said, for the message of a failure. */
  transcript(): string {
    const shown = this.frames.slice(-SHOWN_FRAMES).map(({ members }) => {
      const text = JSON.stringify(members);
      return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
    });
    const { exitCode, signalCode } = this.#process;
    return [
      `frames of the runner: ${this.frames.length}`,
      ...shown,
      `exit code ${exitCode}, signal ${signalCode}`,
      `stderr: ${this.#output.stderr.slice(-1000)}`,
    ].join('\n');
  }

  #receive(chunk: Buffer): void {
    for (const bytes of this.#splitter.push(chunk)) {
      try {
        const frame = frameOf(parseFrame(bytes, this.#maxFrameBytes));
        this.#contract?.accept(frame);
        if (this.#contract === undefined) throw new Error('it was sent before execute');
        this.frames.push(frame);
      } catch (error) {
        const text = bytes.subarray(0, 300).toString();
        this.#breach ??= `a frame of the runner breaks the contract: ${(error as Error).message}\n${text}`;
        // It may be waiting for an answer that nobody gives any more.
        this.signal('SIGKILL');
      }
    }
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #end(): Promise<Ending> {
    let exitCode: number | null;
    let signal: NodeJS.Signals | null;
    try {
      [exitCode, signal] = (await once(this.#process, 'close')) as [number | null, NodeJS.Signals | null];
    } finally {
      this.#isOver = true;
      this.#wake();
    }
    const terminal = this.frames.find((frame) => frame.type === 'execution.result');
    this.#breach ??= this.#breachOfEnd(exitCode, terminal);
    if (this.#breach !== undefined) throw new Error(`${this.#breach}\n${this.transcript()}`);
    return { exitCode, signal, ...this.#output, frames: this.frames, terminal };
  }

  #breachOfEnd(exitCode: number | null, terminal: RunnerFrame | undefined): string | undefined {
    if (this.#splitter.rest.length > 0) return 'the runner left a part of a frame behind';
    if (terminal !== undefined && exitCode !== 0)
      return 'the exit code is not 0, although a terminal frame was sent';
    if (terminal === undefined && exitCode === 0 && this.#contract !== undefined) {
      return 'the exit code is 0, although no terminal frame was sent';
    }
    return undefined;
  }
}
