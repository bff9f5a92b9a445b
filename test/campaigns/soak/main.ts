/**
 * `npm run soak [-- --smoke | --runs N]`: very many runs of every outcome, half on each backend, and commands; what the process holds is
 * looked at while it goes on and when it is over. Ends with 1 if anything was left, or if its memory kept growing.
 */
import { Command } from 'commander';
import { createPool } from 'wardenpool';
import { markdownTable } from '../../../bench/markdown-table.js';
import { type Holdings, holdingsOf, leftAfter } from '../../support/leak-check.js';
import { privateTemporary } from '../../support/private-temporary.js';
import { writeReport } from '../report.js';
import { wholeNumber } from '../whole-number.js';
import { type Outcomes, runCommands, runMixed } from './mixed-load.js';

const options = new Command('npm run soak --')
  .option('--smoke', '10,000 runs, and no judgement of memory', false)
  .option('--runs <number>', 'in all', wholeNumber, 1_000_000)
  .parse()
  .opts<{ smoke: boolean; runs: number }>();

const RUNS = options.smoke ? 10_000 : options.runs;
const COMMANDS = options.smoke ? 200 : 500;
const IN_FLIGHT = 32;
const SAMPLES = 20;
/**
 * Bytes of resident memory for each run, in the second half, in which nothing is new any more. Collections make samples differ by more
 * than ten megabytes, so what counts is what the slope is at least: less two of its standard errors.
 */
const MOST_BYTES_PER_RUN = 20;

interface Sample {
  runs: number;
  seconds: number;
  residentBytes: number;
  descriptors: number;
  processes: number;
  threads: number;
}

/** Of one backend. */
interface Soaked {
  perSecond: number;
  outcomes: Outcomes;
  samples: Sample[];
  /** Of resident memory, over the second half of the samples. */
  bytesPerRun: Slope;
  left: string[];
}

function sample(runs: number, startedAt: number, now: Holdings): Sample {
  const { residentBytes, descriptors, processes, threads } = now;
  return {
    runs,
    seconds: (performance.now() - startedAt) / 1000,
    residentBytes,
    descriptors: descriptors.length,
    processes: processes.length,
    threads: threads.length,
  };
}

interface Slope {
  value: number;
  standardError: number;
}

/** By least squares. */
function slope(samples: readonly Sample[]): Slope {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(samples.map(({ runs }) => runs));
  const y = mean(samples.map(({ residentBytes }) => residentBytes));
  const over = samples.reduce((sum, each) => sum + (each.runs - x) * (each.residentBytes - y), 0);
  const spread = samples.reduce((sum, each) => sum + (each.runs - x) ** 2, 0);
  const value = over / spread;
  const unexplained = samples.reduce(
    (sum, each) => sum + (each.residentBytes - y - value * (each.runs - x)) ** 2,
    0,
  );
  return { value, standardError: Math.sqrt(unexplained / (samples.length - 2) / spread) };
}

async function soak(backend: 'namespaces' | 'seccomp', runs: number): Promise<Soaked> {
  const outcomes: Outcomes = {};
  const open = () => createPool({ backend, threads: 2, limits: { memoryBytes: 16_777_216 } });
  // What Node itself opens once, and keeps.
  await (await open()).close();
  await runCommands(10, {});
  const before = holdingsOf(process.pid);
  const pool = await open();
  const startedAt = performance.now();
  const samples: Sample[] = [];
  for (let part = 0; part < SAMPLES; part++) {
    const [from, to] = [part, part + 1].map((each) => Math.round((runs * each) / SAMPLES)) as [
      number,
      number,
    ];
    await runMixed(pool, { from, to, inFlight: IN_FLIGHT }, outcomes);
    samples.push(sample(to, startedAt, holdingsOf(process.pid)));
    console.error(`${backend}: ${to} runs after ${samples.at(-1)?.seconds.toFixed(0)} s`);
  }
  const perSecond = runs / ((performance.now() - startedAt) / 1000);
  await pool.close();
  await runCommands(COMMANDS / 2, outcomes);
  const left = await leftAfter(before);
  return { perSecond, outcomes, samples, bytesPerRun: slope(samples.slice(SAMPLES / 2)), left };
}

const temporary = privateTemporary();
temporary.enter();
const results: Record<string, Soaked> = {};
const defects: string[] = [];
for (const backend of ['namespaces', 'seccomp'] as const) {
  const soaked = await soak(backend, Math.round(RUNS / 2));
  results[backend] = soaked;
  defects.push(...soaked.left.map((each) => `${backend}: left: ${each}`));
  const { value, standardError } = soaked.bytesPerRun;
  if (!options.smoke && value - 2 * standardError > MOST_BYTES_PER_RUN)
    defects.push(`${backend}: memory grows by ${value.toFixed(0)} bytes with each run`);
}
temporary.leave();

const figures = (list: readonly Sample[], of: (each: Sample) => number) =>
  `${of(list[0] as Sample)} → ${of(list.at(-1) as Sample)}`;
console.log(
  markdownTable([
    ['', ...Object.keys(results)],
    ['runs per second', ...Object.values(results).map(({ perSecond }) => perSecond.toFixed(0))],
    [
      'resident MB, first and last sample',
      ...Object.values(results).map(({ samples }) =>
        figures(samples, ({ residentBytes }) => Math.round(residentBytes / 1e6)),
      ),
    ],
    [
      'bytes per run, second half, ± standard error',
      ...Object.values(results).map(
        ({ bytesPerRun: { value, standardError } }) => `${value.toFixed(0)} ± ${standardError.toFixed(0)}`,
      ),
    ],
    ...(['descriptors', 'processes', 'threads'] as const).map((kind) => [
      kind,
      ...Object.values(results).map(({ samples }) => figures(samples, (each) => each[kind])),
    ]),
    ...[...new Set(Object.values(results).flatMap(({ outcomes }) => Object.keys(outcomes)))].map((end) => [
      end,
      ...Object.values(results).map(({ outcomes }) => String(outcomes[end] ?? 0)),
    ]),
  ]),
);
writeReport('soak', { runs: RUNS, results, defects });
for (const defect of defects) console.error(defect);
if (defects.length > 0) process.exitCode = 1;
