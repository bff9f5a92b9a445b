/**
 * How exactly a deadline is kept, whatever the program does: the time from the `execute` frame to the terminal frame, as
 * the host of a `code-runner` sees it, beyond the limit. A run that ends otherwise than by `timeout` fails the benchmark.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ENDLESS_PROGRAMS, type EndlessProgram } from './deadline-programs.js';
import { quantile, spread } from './measure.js';
import type { MeasureRow } from './results.js';

export const DEADLINES = 'overshoot of the deadline';
/** How the subject of a row over all programs ends. */
export const MEDIAN_AND_ENDS = ', median and ends';

const RUNNER = fileURLToPath(new URL('../build/Release/code-runner', import.meta.url));
/** For the engine to be up, and the runner to wait for its frame. */
const START_MS = 100;
const ATTEMPTS = 10;

interface Limit {
  timeoutMs: number;
  /** Of each program. */
  runs: number;
  /** No more than there are CPUs: what is measured is not how runs share one. */
  inFlight: number;
}

function limits(rounds: number, smoke: boolean): Limit[] {
  if (smoke) return [{ timeoutMs: 50, runs: 1, inFlight: 1 }];
  return [
    { timeoutMs: 50, runs: 10 * rounds, inFlight: 1 },
    { timeoutMs: 5000, runs: 2, inFlight: availableParallelism() },
  ];
}

/** For each program and limit the median and the ends; and over all programs of a limit, the 99th percentile. */
export async function measureDeadlines(rounds: number, smoke: boolean): Promise<MeasureRow[]> {
  const rows: MeasureRow[] = [];
  for (const limit of limits(rounds, smoke)) {
    const overshoots = await overshootsOf(limit);
    const subject = `limit of ${limit.timeoutMs} ms`;
    for (const { name } of ENDLESS_PROGRAMS) {
      rows.push(row(name, subject, spread(overshoots.get(name) ?? [])));
    }
    const all = [...overshoots.values()].flat().sort((a, b) => a - b);
    const p99 = quantile(all, 0.99);
    rows.push(row('all programs', `${subject}${MEDIAN_AND_ENDS}`, spread(all)));
    rows.push(row('all programs', `${subject}, p99`, { median: p99, min: p99, max: p99 }));
  }
  return rows.sort(byProgram);
}

function row(name: string, subject: string, value: MeasureRow['value']): MeasureRow {
  return { group: DEADLINES, name, subject, unit: 'ms', value };
}

const ORDER = [...ENDLESS_PROGRAMS.map(({ name }) => name), 'all programs'];
const byProgram = (a: MeasureRow, b: MeasureRow): number => ORDER.indexOf(a.name) - ORDER.indexOf(b.name);

/** By program; milliseconds. Programs take turns, so that what disturbs the machine meets all of them. */
async function overshootsOf({ timeoutMs, runs, inFlight }: Limit): Promise<Map<string, number[]>> {
  const overshoots = new Map(ENDLESS_PROGRAMS.map(({ name }) => [name, [] as number[]]));
  const left = Array.from({ length: runs }, () => ENDLESS_PROGRAMS).flat();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        overshoots.get(next.name)?.push((await elapsedMs(next, timeoutMs)) - timeoutMs);
      }
    }),
  );
  return overshoots;
}

interface Frame {
  type: string;
  id?: number;
  name?: string;
  error?: { kind: string; message: string };
}

async function elapsedMs(endless: EndlessProgram, timeoutMs: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const elapsed = await tryOnce(endless, timeoutMs);
    if (elapsed !== undefined) return elapsed;
  }
  throw new Error(`the terminal frame of "${endless.name}" was lost ${ATTEMPTS} times in a row`);
}

async function tryOnce({ name, program }: EndlessProgram, timeoutMs: number): Promise<number | undefined> {
  const child = spawn(RUNNER, ['--timeout-ms', String(timeoutMs), '--max-calls', '100000000'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const ended = once(child, 'close');
  try {
    const bridge = child.stdio[3] as Duplex;
    await new Promise((resolve) => setTimeout(resolve, START_MS));
    const startedAt = performance.now();
    const terminal = await terminalFrame(bridge, program, timeoutMs);
    const elapsed = performance.now() - startedAt;
    if (terminal === undefined) return undefined;
    if (terminal.error?.kind === 'timeout') return elapsed;
    throw new Error(`"${name}" did not reach its deadline of ${timeoutMs} ms: ${JSON.stringify(terminal)}`);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** Sends the program, answers its calls (but for `never`), and reads to the last frame; undefined if that was lost. */
function terminalFrame(bridge: Duplex, program: string, timeoutMs: number): Promise<Frame | undefined> {
  return new Promise((resolve, reject) => {
    const send = (frame: object) => {
      if (bridge.writable) bridge.write(`${JSON.stringify({ version: 'code-bridge-v1', ...frame })}\n`);
    };
    createInterface({ input: bridge })
      .on('line', (line) => {
        const frame = JSON.parse(line) as Frame;
        if (frame.type === 'execution.result') resolve(frame);
        else if (frame.type === 'tool.call' && frame.name === 'now') {
          send({ type: 'tool.result', id: frame.id, ok: true, result: performance.now() });
        }
      })
      .on('close', () => reject(new Error('the runner ended without a terminal frame')))
      // An answer that came too late. Node.js then drops what it has not read of the socket, the terminal frame perhaps.
      .on('error', () => resolve(undefined));
    send({
      type: 'execute',
      executionId: 'deadline',
      code: program,
      tools: [{ name: 'now' }, { name: 'never' }],
      features: ['console'],
      limits: { maxToolCalls: 100_000_000, maxResultBytes: 1000, timeoutMs },
    });
  });
}
