/**
 * `npm run bench:peers`: ours and other ways to run a program, on the same programs, in one process and interleaved.
 * Prints tables, and writes JSON to bench/results. scripts/bench-peers.mjs starts it, with the Node.js that all can use.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { machine } from '../machine.js';
import type { Results } from '../results.js';
import type { Subject } from '../subject.js';
import { NO_CALL, ONE_CALL, TEN_CALLS } from '../workloads.js';
import { type ComparisonRow, compare } from './comparison.js';
import { type Contender, contenders, OURS } from './contenders.js';
import { type Case, interleave, type Plan } from './interleave.js';
import { MOST_IN_FLIGHT } from './peer.js';
import { comparisonTables } from './table.js';

type PeerResults = Pick<Results, 'at' | 'command' | 'rounds' | 'smoke' | 'machine'> & {
  comparison: ComparisonRow[];
};

interface Options {
  rounds: number;
  smoke: boolean;
  only?: string[];
}

const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));

const known = contenders(machine().threads);
const peers = [...new Set(known.map(({ peer }) => peer))].filter((peer) => peer !== OURS);

function readOptions(): Options {
  return new Command('npm run bench:peers --')
    .description('ours and its peers on the same programs: median (min-max) over the rounds')
    .option('--rounds <number>', 'rounds after the one that warms up', positive, 5)
    .option('--smoke', 'one tiny round: does every peer give the right answers?', false)
    .option('--only <peers>', `these only, by commas, of ${peers.join(', ')}`, namesOfPeers)
    .parse()
    .opts<Options>();
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('it takes a whole number from 1 up');
  return value;
}

function namesOfPeers(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !peers.includes(name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `there is no peer ${unknown.join(', ')}; the peers are ${peers.join(', ')}`,
    );
  }
  return names;
}

function planOf({ rounds, smoke }: Options): Plan {
  const workloads = [NO_CALL, ONE_CALL, TEN_CALLS];
  const cases: Case[] = workloads.flatMap((workload) =>
    (smoke ? [2] : [1, MOST_IN_FLIGHT]).map((inFlight) => ({ workload, inFlight })),
  );
  return { cases, rounds: smoke ? 1 : rounds, smoke, onRound: (title) => console.error(title) };
}

async function startAll(chosen: readonly Contender[]): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const { name, start } of chosen) {
    try {
      subjects.push(await start());
    } catch (error) {
      await closeAll(subjects);
      throw new Error(`${name} did not start; --only can leave it out`, { cause: error });
    }
  }
  return subjects;
}

async function closeAll(subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) await subject.close();
}

function write(results: PeerResults): string {
  mkdirSync(RESULTS, { recursive: true });
  const file = `${RESULTS}peers.json`;
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}

const options = readOptions();
const { only } = options;
const chosen = known.filter(({ peer }) => peer === OURS || (only?.includes(peer) ?? true));
const plan = planOf(options);
const subjects = await startAll(chosen);
try {
  const samples = await interleave(subjects, plan);
  const comparison = compare(samples, chosen);
  console.log(`${comparisonTables(comparison)}\n`);
  if (plan.smoke) console.log('every answer was right; these figures say nothing about speed');
  const file = write({
    at: new Date().toISOString(),
    command: [
      'npm run bench:peers',
      ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : []),
    ].join(' '),
    rounds: plan.rounds,
    smoke: plan.smoke,
    machine: machine(),
    comparison,
  });
  console.log(`written to ${file}`);
} finally {
  await closeAll(subjects);
}
