/** Attacking runners, started by a host process of their own: as root, or as an ordinary user. */
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Ends } from './command-host.js';
import { endHost, type HostUser, startHost } from './host-process.js';
import { readableCopy } from './readable-copy.js';

/** What the sandboxes have of namespaces. */
export type Namespaces = 'shared' | 'own' | 'none';

/** The launcher with the attacker in it, or the same without its seccomp filters. */
export type AttackedLauncher = 'probe-launcher' | 'probe-launcher-unfiltered';

/** What one attacker said, and how it ended: "SIGSYS", or "code 0". */
export interface Outcome {
  ends: Ends;
  end: string;
}

export interface StayingRunner {
  /** As the kernel of the host numbers it. */
  pid: number;
  /** Half-closes its bridge. */
  release(): void;
  sendSignal(name: NodeJS.Signals): void;
  ended: Promise<Outcome>;
}

interface Raw {
  waitStatus: number;
  said: string;
}

interface Message {
  id: number;
  pid?: number;
  outcomes?: Raw[];
  error?: string;
}

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

function outcomeOf({ waitStatus, said }: Raw): Outcome {
  const signal = waitStatus & 0x7f;
  const end =
    signal === 0 ? `code ${waitStatus >> 8}` : (SIGNAL_NAMES.get(signal as never) ?? `signal ${signal}`);
  const lines = said.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return { end, ends: Object.assign({}, ...lines.map((line) => JSON.parse(line) as Ends)) as Ends };
}

export class AttackHost {
  readonly #process: ChildProcess;
  readonly #listeners = new Map<number, (message: Message) => void>();
  #count = 0;

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.on('message', (message: Message) => this.#listeners.get(message.id)?.(message));
    process.on('exit', () => {
      for (const [id, listener] of this.#listeners) listener({ id, error: 'the host of attackers is gone' });
    });
  }

  static async start(user: HostUser): Promise<AttackHost> {
    const binaries = join(readableCopy(), 'build/Release');
    return new AttackHost(await startHost('attack-host.mjs', 'executor/launcher.js', user, binaries));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** A sandbox for each request, many at a time; the outcomes are in the order of the requests. */
  async attempt(
    executable: AttackedLauncher,
    namespaces: Namespaces,
    requests: readonly string[],
  ): Promise<Outcome[]> {
    const id = ++this.#count;
    const message = new Promise<Message>((resolve) => this.#listeners.set(id, resolve));
    this.#process.send({ id, executable, namespaces, requests, stays: false });
    const { outcomes, error } = await message;
    this.#listeners.delete(id);
    if (outcomes === undefined) throw new Error(error);
    return outcomes.map(outcomeOf);
  }

  /** One that goes on after its first word. */
  async start(executable: AttackedLauncher, namespaces: Namespaces, request: string): Promise<StayingRunner> {
    const id = ++this.#count;
    let over: (outcome: Outcome) => void = () => {};
    const ended = new Promise<Outcome>((resolve) => {
      over = resolve;
    });
    const pid = await new Promise<number>((resolve, reject) => {
      this.#listeners.set(id, (message) => {
        if (message.pid !== undefined) resolve(message.pid);
        const [raw] = message.outcomes ?? [];
        if (raw !== undefined) over(outcomeOf(raw));
        if (raw !== undefined || message.error !== undefined) {
          this.#listeners.delete(id);
          reject(new Error(message.error ?? `the attacker ended without a word: ${JSON.stringify(raw)}`));
        }
      });
      this.#process.send({ id, executable, namespaces, requests: [request], stays: true });
    });
    return {
      pid,
      release: () => void this.#process.send({ id, release: true }),
      sendSignal: (name) => void this.#process.send({ id, signal: constants.signals[name] }),
      ended,
    };
  }

  close(): Promise<void> {
    return endHost(this.#process);
  }
}
