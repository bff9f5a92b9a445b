/** Programs in the sandboxes of a pool, run by a host process of their own: as root, or as an ordinary user. */
import type { ChildProcess } from 'node:child_process';
import type { PoolOptions, RunOptions, RunResult } from 'wardenpool';
import { endHost, HOST_MARKER, type HostUser, startHost } from './host-process.js';

/** `echo` gives back what it gets, and only reads; `fail` throws an error with the host's marker; `wait` answers nobody. */
export type ToolName = 'echo' | 'fail' | 'wait';

export type Sandboxes = Required<Pick<PoolOptions, 'backend' | 'isolation'>>;

/** Default: all tools, and what the pool has. */
export interface ProgramOptions
  extends Pick<RunOptions, 'limits' | 'executionId' | 'labels' | 'mode' | 'normalize'> {
  tools?: readonly ToolName[];
}

export interface ProgramEnd {
  /** Without what handlers threw. */
  run: RunResult<unknown>;
  /** The calls that handlers really got. */
  handled: { name: ToolName; input: unknown }[];
  /** Names in built-in objects of the host that are other ones than at its start. */
  changed: string[];
}

interface Answer {
  id: number;
  end?: ProgramEnd;
  error?: string;
}

export class ProgramHost {
  readonly #process: ChildProcess;
  readonly #listeners = new Map<number, (answer: Answer) => void>();
  #count = 0;

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.on('message', (answer: Answer) => this.#listeners.get(answer.id)?.(answer));
    process.on('exit', () => {
      for (const [id, listener] of this.#listeners) listener({ id, error: 'the host of programs is gone' });
    });
  }

  static async start(user: HostUser): Promise<ProgramHost> {
    return new ProgramHost(await startHost('program-host.mjs', 'index.js', user, HOST_MARKER));
  }

  /** In the one pool that the host has of these sandboxes. */
  async run(sandboxes: Sandboxes, code: string, options: ProgramOptions = {}): Promise<ProgramEnd> {
    const id = ++this.#count;
    const { tools = ['echo', 'fail', 'wait'], ...others } = options;
    const answered = new Promise<Answer>((resolve) => this.#listeners.set(id, resolve));
    this.#process.send({ id, sandboxes, code, tools, options: others });
    const { end, error } = await answered;
    this.#listeners.delete(id);
    if (end === undefined) throw new Error(error);
    return end;
  }

  close(): Promise<void> {
    return endHost(this.#process);
  }
}
