/*
 * Starts a real code-runner and speaks code-bridge-v1 with it, byte by byte where a test wants that.
 * WARDENPOOL_CODE_RUNNER names another binary to test, for example a sanitized one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../../build/Release/code-runner', import.meta.url));
export const codeRunner = process.env['WARDENPOOL_CODE_RUNNER'] ?? built;

export const VERSION = 'code-bridge-v1';
export const ALL_FEATURES = [
  'parallel-tools',
  'console',
  'limits',
  'undefined',
  'errors',
  'tool-paths',
  'timers',
  'web',
  'seed',
];

export interface RunnerError {
  kind: string;
  message: string;
  code?: string;
  limit?: number;
  attempted?: number;
  name?: string;
  stack?: string;
  path?: string;
  position?: { line: number; column: number };
}

export interface Frame {
  version: string;
  type: string;
  executionId?: string;
  runnerVersion?: string;
  effectiveLimits?: Record<string, number>;
  features?: string[];
  id?: number;
  name?: string;
  arguments?: Record<string, unknown>;
  ok?: boolean;
  result?: unknown;
  error?: RunnerError;
  warnings?: { code: string; message: string }[];
  metrics?: { elapsedMs: number; toolCalls: number; peakMemoryBytes?: number; openToolCalls?: number };
  level?: string;
  text?: string;
  seq?: number;
  truncated?: boolean;
}

export interface Execute {
  code: string;
  tools?: string[];
  limits?: Record<string, unknown>;
  features?: string[] | undefined;
  [member: string]: unknown;
}

export type Tools = Record<string, (input: Record<string, unknown>) => unknown>;

export interface Ending {
  exitCode: number | null;
  signal: string | null;
  stderr: string;
  frames: Frame[];
  terminal: Frame | undefined;
}

const limits = { maxToolCalls: 64, maxResultBytes: 100_000, timeoutMs: 4000 };

/* The `execute` frame as an object, with everything in it that a test does not care about. */
export function executeFrame({
  code,
  tools = [],
  limits: own = {},
  ...others
}: Execute): Record<string, unknown> {
  const names = tools.map((name) => ({ name }));
  return {
    version: VERSION,
    type: 'execute',
    executionId: 'e-1',
    code,
    tools: names,
    limits: { ...limits, ...own },
    ...others,
  };
}

/*
 * The runner ended just when it was written to, and Node closes a socket on which a write fails, whatever lies in it
 * unread. So nobody knows what the runner has said: the run has to be tried again.
 */
export class Unheard extends Error {
  override readonly name = 'Unheard';
  override readonly message =
    'a write failed because the runner had ended, and what it had said before is lost: no terminal frame was seen';
}

const ATTEMPTS = 3;

/* One process of code-runner, and both ends of the conversation with it. */
export class Runner {
  readonly frames: Frame[] = [];
  readonly process: ChildProcess;
  readonly #socket: Socket;
  readonly #closed: Promise<unknown[]>;
  #text = '';
  #stderr = '';
  #writeFailed = false;
  #waiting: (() => void)[] = [];

  constructor(options: string[] = [], program = codeRunner) {
    this.process = spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    this.#closed = once(this.process, 'close');
    this.#socket = this.process.stdio[3] as Socket;
    /* A runner that has ended does not read: that is no news, unless it cost us what it had sent. */
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#writeFailed ||= error.syscall === 'write';
    });
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (chunk: string) => this.#receive(chunk));
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk;
    });
    this.process.stdout?.resume();
  }

  send(frame: Record<string, unknown>): this {
    return this.write(`${JSON.stringify(frame)}\n`);
  }

  write(bytes: string | Uint8Array): this {
    this.#socket.write(bytes);
    return this;
  }

  /* Closes the host's half; what the runner still sends arrives. */
  endInput(): this {
    this.#socket.end();
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

  /* The first frame of a type, whenever it comes. */
  async frame(type: string, index = 0): Promise<Frame> {
    for (;;) {
      const found = this.frames.filter((frame) => frame.type === type)[index];
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  answer(id: number | undefined, result: unknown): this {
    return this.send({ version: VERSION, type: 'tool.result', id, ok: true, result });
  }

  /* Rejects with Unheard if the terminal frame may have been lost on our side of the socket. */
  async ended(): Promise<Ending> {
    const [exitCode, signal] = (await this.#closed) as [number | null, string | null];
    const terminals = this.frames.filter((frame) => frame.type === 'execution.result');
    if (exitCode === 0 && terminals.length === 0 && this.#writeFailed) throw new Unheard();
    if (terminals.length > 1 || (terminals.length === 1 && this.frames.at(-1) !== terminals[0])) {
      throw new Error('the terminal frame was not the last one');
    }
    if (this.#text !== '') throw new Error(`the runner left a part of a frame behind: ${this.#text}`);
    return { exitCode, signal, stderr: this.#stderr, frames: this.frames, terminal: terminals[0] };
  }

  #receive(chunk: string): void {
    const lines = (this.#text + chunk).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.frames.push(JSON.parse(line) as Frame);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

async function serve(runner: Runner, tools: Tools): Promise<void> {
  for (let index = 0; ; index++) {
    const call = await runner.frame('tool.call', index);
    const answer = async () => {
      /* Not before all that has come by now was read: see Unheard. */
      await new Promise((resolve) => setImmediate(resolve));
      try {
        runner.answer(call.id, await tools[call.name ?? '']?.(call.arguments ?? {}));
      } catch (error) {
        const { code = 'FAILED', message } = error as Error & { code?: string };
        runner.send({
          version: VERSION,
          type: 'tool.result',
          id: call.id,
          ok: false,
          error: { code, message },
        });
      }
    };
    void answer();
  }
}

/* Runs one program with all features to its end, answering its tool calls; again, if its end was not heard. */
export async function run(
  code: string,
  {
    tools = {},
    options = [],
    program = codeRunner,
    ...execute
  }: Omit<Partial<Execute>, 'tools'> & { tools?: Tools; options?: string[]; program?: string } = {},
): Promise<Ending> {
  for (let attempt = 1; ; attempt++) {
    const runner = new Runner(options, program);
    void serve(runner, tools);
    runner.send(executeFrame({ features: ALL_FEATURES, ...execute, code, tools: Object.keys(tools) }));
    try {
      return await runner.ended();
    } catch (error) {
      if (!(error instanceof Unheard) || attempt === ATTEMPTS) throw error;
    }
  }
}

/* The value of a program that must succeed. */
export async function resultOf(code: string, options: Parameters<typeof run>[1] = {}): Promise<unknown> {
  const { terminal, stderr } = await run(code, options);
  if (!terminal?.ok) throw new Error(`the program failed: ${JSON.stringify(terminal)} ${stderr}`);
  return terminal.result;
}

/* The error of a program that must fail. */
export async function errorOf(code: string, options: Parameters<typeof run>[1] = {}): Promise<RunnerError> {
  const { terminal, stderr } = await run(code, options);
  if (!terminal?.error) throw new Error(`the program did not fail: ${JSON.stringify(terminal)} ${stderr}`);
  return terminal.error;
}
