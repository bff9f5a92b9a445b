/**
 * "A terminal frame is never lost": many runs whose process exits at once behind it, each result held against what the
 * program must have returned; against the runner alone, and through a pool.
 */
import { createPool } from 'wardenpool';
import type { Subject } from '../runner/conversation.js';
import { Bench } from '../runner/suite.js';

export interface Soaked {
  runs: number;
  /** Why, for each run whose result was not what it had to be. */
  lost: string[];
  seconds: number;
}

/** Runs at a time. */
const CONCURRENCY = 8;
/** Characters of a large result: as JSON, just what the runner's ceiling allows less than. */
const LARGE = 500_000;
/** What is started from one Bench, which remembers what it started. */
const BATCH = 100;

async function soak(runs: number, run: (index: number) => Promise<void>): Promise<Soaked> {
  const lost: string[] = [];
  const start = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < runs) {
      try {
        await run(next++);
      } catch (error) {
        lost.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return { runs, lost, seconds: (performance.now() - start) / 1000 };
}

const programs: [string, (value: unknown, index: number) => boolean][] = [
  ['return INDEX', (value, index) => value === index],
  [`return 'x'.repeat(${LARGE})`, (value) => typeof value === 'string' && value.length === LARGE],
  ['throw { index: INDEX }', (value) => value === undefined],
  // The answer to this call may meet a process that has exited.
  ['tools.t({}); return INDEX', (value, index) => value === index],
  [
    `tools.t({}); return 'x'.repeat(${LARGE})`,
    (value) => typeof value === 'string' && value.length === LARGE,
  ],
];

function programOf(index: number): { code: string; isRight: (value: unknown) => boolean } {
  const [code, isRight] = programs[index % programs.length] ?? ['', () => false];
  return { code: code.replace('INDEX', String(index)), isRight: (value) => isRight(value, index) };
}

/** Starts `runs` processes of the runner. */
export async function soakRunner(subject: Subject, runs: number): Promise<Soaked> {
  let bench = new Bench(subject);
  const result = await soak(runs, async (index) => {
    if (index % BATCH === 0) bench = new Bench(subject);
    const { code, isRight } = programOf(index);
    // The call is not answered: the runner does not wait for that.
    const limits = { maxResultBytes: 524_288 };
    const { terminal } = await bench.execute({ code, tools: ['t'], limits }).ended();
    if (!isRight(terminal?.result))
      throw new Error(`run ${index}: ${JSON.stringify(terminal).slice(0, 300)}`);
  });
  bench.dispose();
  return result;
}

/** Runs `runs` programs in a pool of its own, whose tool answers at once. */
export async function soakPool(runs: number): Promise<Soaked> {
  await using pool = await createPool();
  return await soak(runs, async (index) => {
    const { code, isRight } = programOf(index);
    const run = await pool.run(code, { t: () => null });
    const expected = run.ok ? isRight(run.value) : run.error.kind === 'javascript' && isRight(undefined);
    if (!expected)
      throw new Error(`run ${index}: ${JSON.stringify(run.ok ? run.value : run.error).slice(0, 300)}`);
  });
}
