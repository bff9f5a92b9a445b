/**
 * Programs in sandboxes whose guest can corrupt itself (native/corruption): what they have, and how they end. A program that
 * has broken QuickJS completely is at most as able as these. The sandboxes are those of a real launcher.
 */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { NativeExit } from '../../../src/executor/addon.js';
import { Launcher } from '../../../src/executor/launcher.js';
import { ALL_FEATURES, executeFrame, type Frame, type RunnerError, VERSION } from '../runner/helper.js';

const built = (name: string): string =>
  fileURLToPath(new URL(`../../../build/Release/${name}`, import.meta.url));
export const corruptRunner = built('corrupt-runner');
export const corruptLauncher = built('corrupt-launcher');

/** How far the linear memory of a run may grow beside what the engine needs. Bytes. */
export const MEMORY_BYTES = 16 * 1024 * 1024;

/** Functions that the programs share: to find things in the linear memory. */
export const LIBRARY = `
  const PAGE = 65536;
  const end = () => corrupt.pages() * PAGE;
  /* Below it is the module's own stack; then come its data, and its heap. */
  const DATA = 1 << 20;
  /* The addresses at which these bytes are: of all, or of those between. */
  const find = (bytes, step = 4, to = end()) => {
    const found = [];
    const word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24;
    for (let at = DATA; at < to - bytes.length; at += step)
      if ((corrupt.load32(at) | 0) === word && bytes.every((byte, i) => corrupt.load8(at + i) === byte)) found.push(at);
    return found;
  };
  /* Of words, those that fulfil a condition. */
  const findWords = (condition) => {
    const found = [];
    for (let at = DATA; at < end() - 4; at += 4) if (condition(corrupt.load32(at), at)) found.push(at);
    return found;
  };
  const ascii = (text) => Array.from(text, (c) => c.charCodeAt(0));
  const write = (at, text) => ascii(text).forEach((byte, i) => corrupt.store8(at + i, byte));
`;

export interface Corruption {
  tools?: Record<string, (input: Record<string, unknown>) => unknown>;
  limits?: Record<string, unknown>;
}

/** How a sandbox ended, as its host sees it. */
export interface Ending {
  /** Its lines; one that is no JSON object is in `malformed` instead. */
  frames: Frame[];
  malformed: string[];
  diagnostics: string;
  waitStatus: number;
  elapsedMs: number;
}

const ceilings = {
  memoryBytes: MEMORY_BYTES,
  stackBytes: 1_048_576,
  timeoutMs: 20_000,
  cpuMs: 20_000,
  maxToolCalls: 64,
  maxConcurrentToolCalls: 2,
  maxFrameBytes: 65_536,
  maxResultBytes: 32_768,
  maxLogBytes: 4_096,
};

let started: Promise<Launcher> | undefined;

/** What every file that converses does after its tests; the next one has a launcher of its own. */
export async function closeLauncher(): Promise<void> {
  const launcher = await started;
  started = undefined;
  launcher?.close();
}

/** Sends bytes to a sandbox and answers its tool calls, until it is over. */
export async function converse(bytes: string, tools: Corruption['tools'] = {}): Promise<Ending> {
  started ??= Launcher.start({
    executable: corruptLauncher,
    namespaces: 'shared',
    ceilings,
    diagnosticsLimit: 4_096,
    onExit() {},
  });
  const launcher = await started;
  const ending: Ending = { frames: [], malformed: [], diagnostics: '', waitStatus: -1, elapsedMs: 0 };
  const startedAt = performance.now();
  let text = '';
  const receive = (line: string): void => {
    try {
      const frame: Frame = JSON.parse(line);
      assert.equal(frame.version, VERSION);
      ending.frames.push(frame);
      if (frame.type !== 'tool.call') return;
      const result = tools[frame.name ?? '']?.(frame.arguments ?? {});
      launcher.write(
        sandbox,
        `${JSON.stringify({ version: VERSION, type: 'tool.result', id: frame.id, ok: true, result: result ?? null })}\n`,
      );
    } catch {
      ending.malformed.push(line);
    }
  };
  let sandbox = 0;
  const exit = await new Promise<NativeExit>((resolve, reject) => {
    sandbox = launcher.spawn({
      spawned: () => launcher.write(sandbox, bytes),
      spawnFailed: reject,
      data(chunk) {
        const lines = (text + chunk.toString('latin1')).split('\n');
        text = lines.pop() ?? '';
        lines.forEach(receive);
      },
      end() {},
      diagnostics(chunk) {
        ending.diagnostics += chunk.toString('latin1');
      },
      exited: resolve,
    });
  });
  if (text !== '') ending.malformed.push(text);
  return { ...ending, waitStatus: exit[1], elapsedMs: performance.now() - startedAt };
}

/** Runs a program to its end, whatever that is. */
export function attempt(code: string, { tools = {}, limits = {} }: Corruption = {}): Promise<Ending> {
  const frame = executeFrame({
    code: `${LIBRARY}${code}`,
    tools: Object.keys(tools),
    limits: { maxToolCalls: 64, maxResultBytes: 32_768, timeoutMs: 20_000, ...limits },
    features: ALL_FEATURES,
  });
  return converse(`${JSON.stringify(frame)}\n`, tools);
}

/** Its terminal frame, which must be that of a runner that is in order, whatever became of its guest. */
export function terminalOf({ frames, malformed, diagnostics, waitStatus }: Ending): Frame {
  // The engine has things to say to whoever sets its flags; and says little.
  assert.ok(diagnostics.length <= 512, diagnostics);
  assert.deepEqual(malformed, [], 'every line is a frame');
  assert.equal(waitStatus, 0, 'it exits by itself, without a complaint');
  const terminals = frames.filter(({ type }) => type === 'execution.result');
  assert.equal(terminals.length, 1, 'there is one terminal frame');
  const last = frames.at(-1);
  assert.ok(last === terminals[0] && last?.metrics, 'it comes last and is complete');
  return last;
}

/** Does work for each item, some at a time. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** The error of a program that must fail. */
export async function corruptionError(code: string, options?: Corruption): Promise<RunnerError> {
  const terminal = terminalOf(await attempt(code, options));
  assert.ok(terminal.error, `the program must fail: ${JSON.stringify(terminal)}\n${code}`);
  return terminal.error;
}

/** The value of a program that must succeed. */
export async function corruptionResult(code: string, options?: Corruption): Promise<unknown> {
  const terminal = terminalOf(await attempt(code, options));
  assert.ok(terminal.ok, `the program must succeed: ${JSON.stringify(terminal)}\n${code}`);
  return terminal.result;
}

/** A program that must end in a trap, which the message names. */
export async function trapped(code: string, message: RegExp, options?: Corruption): Promise<void> {
  const error = await corruptionError(code, options);
  assert.equal(error.kind, 'javascript', JSON.stringify(error));
  assert.match(error.message, message, code);
}

export const OUTSIDE = /^the engine had to stop the program: it reached outside its memory$/;
export const NOT_ITS_OWN =
  /^the engine had to stop the program: it handed over an address outside its memory$/;
export const NO_SUCH_FUNCTION = /^the engine had to stop the program: it called what is no such function$/;
