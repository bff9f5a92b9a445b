/**
 * `npm run bench`: throughput and latency at 1 and at 16 in flight, ours and bubblewrap's, interleaved in one run, so that
 * a ratio holds even where the machine is shared. Writes a table, and JSON to bench/results.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { bubblewrapSubject } from './bubblewrap-subject.js';
import { measure, type Sample, type Spread, spread } from './measure.js';
import type { Subject } from './subject.js';
import { wardenpoolSubject } from './wardenpool-subject.js';

const IN_FLIGHT = [1, 16];
const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

/** Executions of one measurement: enough for about half a second of a subject. */
const COUNTS: Record<string, number> = { wardenpool: 1_000, 'bwrap + code-runner': 100 };
const SMOKE_COUNT = 16;

interface Row {
  subject: string;
  inFlight: number;
  rate: Spread;
  p50: Spread;
  p99: Spread;
  /** Of our rate to this subject's, round by round. */
  ratio: Spread;
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('it takes a whole number from 1 up');
  return value;
}

async function measureAll(subjects: Subject[], rounds: number, smoke: boolean): Promise<Row[]> {
  const samples = new Map<string, Sample[]>();
  for (let round = -1; round < rounds; round++) {
    for (const inFlight of IN_FLIGHT) {
      for (const subject of subjects) {
        const count = smoke ? SMOKE_COUNT : (COUNTS[subject.name] ?? SMOKE_COUNT);
        const sample = await measure(subject, inFlight, count);
        if (round < 0) continue; // the first round warms up
        const key = `${subject.name}/${inFlight}`;
        samples.set(key, [...(samples.get(key) ?? []), sample]);
      }
    }
  }
  return IN_FLIGHT.flatMap((inFlight) => {
    const ours = samples.get(`${subjects[0]?.name}/${inFlight}`) ?? [];
    return subjects.map(({ name }) => {
      const theirs = samples.get(`${name}/${inFlight}`) ?? [];
      return {
        subject: name,
        inFlight,
        rate: spread(theirs.map(({ rate }) => rate)),
        p50: spread(theirs.map(({ p50 }) => p50)),
        p99: spread(theirs.map(({ p99 }) => p99)),
        ratio: spread(theirs.map(({ rate }, round) => (ours[round]?.rate ?? Number.NaN) / rate)),
      };
    });
  });
}

function table(rows: Row[]): string {
  const show = ({ median, min, max }: Spread, digits: number) =>
    `${median.toFixed(digits)} (${min.toFixed(digits)}-${max.toFixed(digits)})`;
  const lines = [
    ['subject', 'in flight', 'per second', 'p50 ms', 'p99 ms', 'ours / this'],
    ...rows.map((row) => [
      row.subject,
      String(row.inFlight),
      show(row.rate, 0),
      show(row.p50, 2),
      show(row.p99, 2),
      show(row.ratio, 1),
    ]),
  ];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

const { rounds, smoke } = new Command('npm run bench --')
  .description('one small program with one tool call: median (min-max) over the rounds')
  .option('--rounds <number>', 'rounds after the one that warms up', positive, 7)
  .option('--smoke', 'one short round: does it run at all?', false)
  .parse()
  .opts<{ rounds: number; smoke: boolean }>();

const subjects = [await wardenpoolSubject(), await bubblewrapSubject()];
const rows = await measureAll(subjects, smoke ? 1 : rounds, smoke);
for (const subject of subjects) await subject.close();

console.log(`${table(rows)}\n`);
const machine = {
  kernel: release(),
  cpu: cpus()[0]?.model,
  threads: availableParallelism(),
  node: process.version,
};
mkdirSync(RESULTS, { recursive: true });
const file = `${RESULTS}bench.json`;
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date().toISOString(), machine, rounds, smoke, rows }, null, 2)}\n`,
);
console.log(`written to ${file}`);
