/** How the cases for runners are written: what a case is given, and how it joins the suite. */
import type { Case } from '../report/cases.js';
import { encodeFrame, VERSION } from '../wire/frames.js';
import { Conversation, type Ending, type Setup, type Subject } from './conversation.js';
import type { RunnerError, RunnerFrame } from './frames.js';

export type Tools = Record<string, (input: Record<string, unknown>) => unknown>;

export interface ExecuteMembers {
  code?: unknown;
  /** Names of tools. */
  tools?: readonly string[];
  /** Added to, or put in the place of, the limits that a case does not care about. */
  limits?: Record<string, unknown>;
  features?: readonly string[];
  [member: string]: unknown;
}

export type RunOptions = Omit<ExecuteMembers, 'tools'> & { tools?: Tools; setup?: Setup };

/** Far more time than any program here needs, even where a machine is busy with a lot else. */
const PATIENT: Setup = { options: ['--timeout-ms', '30000'] };
const LIMITS = { maxToolCalls: 32, maxResultBytes: 100_000, timeoutMs: 25_000 };
/** A program that takes this long has waited for its deadline. Milliseconds. */
export const WAITED_MS = 20_000;

/** An `execute` frame, with everything in it that a case does not care about. */
export function executeFrame(members: ExecuteMembers = {}): Record<string, unknown> {
  const { code = 'return 1', tools = [], limits = {}, ...others } = members;
  return {
    version: VERSION,
    type: 'execute',
    executionId: 'e-1',
    code,
    tools: tools.map((name) => ({ name })),
    limits: { ...LIMITS, ...limits },
    ...others,
  };
}

/** Answers calls until the runner ends. A tool that throws fails with the `code` and `message` of its error. */
async function serve(conversation: Conversation, tools: Tools): Promise<void> {
  for (let index = 0; ; index++) {
    let call: RunnerFrame;
    try {
      call = await conversation.frame('tool.call', index);
    } catch {
      return; // it has ended: whoever awaits its end hears why
    }
    const { id, name = '', arguments: input = {} } = call;
    try {
      conversation.answer(id, await tools[name]?.(input));
    } catch (error) {
      const { code = 'FAILED', message } = error as Error & { code?: string };
      conversation.fail(id, code, message);
    }
  }
}

/** What a case works with. All that it starts is ended with it. */
export class Bench {
  readonly #subject: Subject;
  readonly #conversations: Conversation[] = [];

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** A runner that was sent nothing. Without `setup`, it has no options. */
  start(setup?: Setup): Conversation {
    const conversation = new Conversation(this.#subject, setup);
    this.#conversations.push(conversation);
    return conversation;
  }

  /** A runner that was sent `execute`, and nothing else yet. Without `setup`, its deadline is far away. */
  execute(members: ExecuteMembers, setup?: Setup): Conversation {
    return this.begin(members, setup, (bytes, { write }) => write(bytes));
  }

  /** The same, while `send` decides how the bytes of the frame are sent. */
  begin(
    members: ExecuteMembers,
    setup: Setup | undefined,
    send: (bytes: Buffer, to: { write(bytes: string | Uint8Array): void }) => unknown,
  ): Conversation {
    const frame = executeFrame(members);
    const conversation = this.start(setup ?? PATIENT).agree({
      executionId: String(frame['executionId']),
      toolNames: members.tools ?? [],
      limits: frame['limits'] as Record<string, unknown>,
      features: members.features ?? [],
    });
    void send(encodeFrame(frame), { write: (bytes) => conversation.write(bytes) });
    return conversation;
  }

  /** Runs a program to its end, and serves its tools. */
  run(code: string, { tools = {}, setup, ...members }: RunOptions = {}): Promise<Ending> {
    const conversation = this.execute({ ...members, code, tools: Object.keys(tools) }, setup);
    void serve(conversation, tools);
    return conversation.ended();
  }

  /** The terminal frame of a program. */
  async terminal(code: string, options?: RunOptions): Promise<RunnerFrame> {
    const { terminal } = await this.run(code, options);
    if (terminal === undefined) throw new Error(`there was no terminal frame\n${this.transcript()}`);
    return terminal;
  }

  /** The result of a program that must succeed; undefined if the frame has none. */
  async value(code: string, options?: RunOptions): Promise<unknown> {
    const terminal = await this.terminal(code, options);
    if (!terminal.ok) throw new Error(`the program failed\n${this.transcript()}`);
    return terminal.result;
  }

  /** The error of a program that must fail. */
  async error(code: string, options?: RunOptions): Promise<RunnerError> {
    const { error } = await this.terminal(code, options);
    if (error === undefined) throw new Error(`the program succeeded\n${this.transcript()}`);
    return error;
  }

  transcript(): string {
    return this.#conversations.at(-1)?.transcript() ?? 'no runner was started';
  }

  dispose(): void {
    for (const conversation of this.#conversations) conversation.dispose();
  }
}

export type Check = (bench: Bench) => Promise<void>;
/** One case: its name, further features that it needs, and what it does. */
export type AddCase = (name: string, check: Check, needs?: readonly string[]) => void;
/** A part of the suite: its cases, once it is known what they are to be held against. */
export type Section = (subject: Subject) => Case[];

async function runCase(check: Check, subject: Subject, signal: AbortSignal): Promise<void> {
  const bench = new Bench(subject);
  const dispose = (): void => bench.dispose();
  signal.addEventListener('abort', dispose);
  try {
    await check(bench);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(message.includes('exit code') ? message : `${message}\n${bench.transcript()}`);
  } finally {
    signal.removeEventListener('abort', dispose);
    bench.dispose();
  }
}

/** `needs`: features without which no case of the section applies. */
export function section(name: string, needs: readonly string[], define: (add: AddCase) => void): Section {
  const cases: { name: string; check: Check; needs: readonly string[] }[] = [];
  define((caseName, check, more = []) => {
    cases.push({ name: caseName, check, needs: [...needs, ...more] });
  });
  return (subject) =>
    cases.map((each) => ({
      section: name,
      name: each.name,
      needs: each.needs,
      check: (signal) => runCase(each.check, subject, signal),
    }));
}
