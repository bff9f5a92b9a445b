/** Commands in sandboxes, started by a host process of their own: as root, as an ordinary user, or to be killed. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, lchownSync, lstatSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IsolatedOptions, MissingCapability, Receipt } from 'wardenpool/executor';
import { endHost, type HostUser, idOf, startHost } from './host-process.js';
import { readableCopy } from './readable-copy.js';

/** What a probe says of each attempt. */
export type Ends = Record<string, string | number>;

export interface HostError {
  name: string;
  message: string;
  code?: string;
  missing?: readonly MissingCapability[];
}

export interface CommandEnd {
  /** Of all lines together. */
  ends: Ends;
  returncode: number | null;
  signal: string | null;
  receipt: Receipt;
  stderr: string;
}

/** A command that could not be run: `cause` is what its host was told. */
export class CommandRefused extends Error {
  constructor(override readonly cause: HostError) {
    super(`${cause.name}: ${cause.message}`);
  }
}

export interface RunningCommand {
  /** What the command said first, and its PID. */
  said: Promise<{ ends: Ends; pid: number }>;
  /** Half-closes the protocol: the command goes on. */
  release(): void;
  stop(): void;
  /** Rejects with CommandRefused. */
  ended: Promise<CommandEnd>;
}

interface Listener {
  line(line: string, pid: number): void;
  end(end: Omit<CommandEnd, 'ends'> & { error?: HostError }): void;
}

const PROBE = 'probe-command';

/** Of every command that could not be run, on any host, until somebody takes them. */
export const refusals: HostError[] = [];

export class CommandHost {
  readonly #process: ChildProcess;
  readonly #listeners = new Map<number, Listener>();
  #count = 0;
  /** As the kernel of the host numbers it. */
  readonly userId: number;

  private constructor(process: ChildProcess, userId: number) {
    this.#process = process;
    this.userId = userId;
    process.on('message', (message: { id: number; line?: string; pid: number; end?: never }) => {
      const listener = this.#listeners.get(message.id);
      if (message.line !== undefined) listener?.line(message.line, message.pid);
      if (message.end !== undefined) listener?.end(message.end);
    });
  }

  static async start(user: HostUser): Promise<CommandHost> {
    const child = await startHost('command-host.mjs', 'executor/index.js', user);
    return new CommandHost(child, idOf(user));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The attacking command, outside of every workspace. */
  get probe(): string {
    return join(readableCopy(), 'build/Release', PROBE);
  }

  /** A new directory of a user, with the attacking command in it. */
  workspace(owner: number): string {
    const directory = mkdtempSync(join(readableCopy(), 'workspace-'));
    copyFileSync(this.probe, join(directory, PROBE));
    giveTo(owner, directory);
    return directory;
  }

  /** `stays`: the command is told to go on by release() only. */
  start(command: readonly string[], options: IsolatedOptions, stays = false): RunningCommand {
    const id = ++this.#count;
    const lines: Ends[] = [];
    let said: (first: { ends: Ends; pid: number }) => void = () => {};
    let saysNothing: (error: Error) => void = () => {};
    const running: RunningCommand = {
      said: new Promise((resolve, reject) => {
        said = resolve;
        saysNothing = reject;
      }),
      release: () => void this.#process.send({ id, release: true }),
      stop: () => void this.#process.send({ id, stop: true }),
      ended: new Promise((resolve, reject) => {
        this.#listeners.set(id, {
          line(line, pid) {
            const ends = JSON.parse(line) as Ends;
            lines.push(ends);
            said({ ends, pid });
          },
          end: ({ error, ...end }) => {
            this.#listeners.delete(id);
            saysNothing(
              new Error(`the command ended before it said anything: ${JSON.stringify({ error, ...end })}`),
            );
            if (error) refusals.push(error);
            if (error) reject(new CommandRefused(error));
            else resolve({ ...end, ends: Object.assign({}, ...lines) as Ends });
          },
        });
      }),
    };
    running.said.catch(() => {});
    running.ended.catch(() => {});
    this.#process.send({ id, command, options, stays });
    return running;
  }

  /** Rejects with CommandRefused. */
  run(command: readonly string[], options: IsolatedOptions): Promise<CommandEnd> {
    return this.start(command, options).ended;
  }

  /** SIGKILL, and its end. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exit;
  }

  close(): Promise<void> {
    return endHost(this.#process);
  }
}

/** A path and everything below it, where we may give it away. */
export function giveTo(owner: number, path: string): void {
  if (process.geteuid?.() !== 0) return;
  if (lstatSync(path).isDirectory()) {
    chownSync(path, owner, owner);
    for (const name of readdirSync(path)) giveTo(owner, join(path, name));
  } else lchownSync(path, owner, owner);
}
