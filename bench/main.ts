/**
 * `npm run bench`: how fast, at what cost in CPU time and memory, and how near to the floor, all in one run, interleaved, so
 * that a ratio holds even where the machine is shared. Writes a table, JSON and a page of charts.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { measureCompute } from './compute/measure-compute.js';
import { measureDeadlines } from './deadlines.js';
import { goals } from './goals.js';
import { measureLoad } from './load.js';
import { machine } from './machine.js';
import { progress } from './progress.js';
import { page } from './report/page.js';
import { table } from './report/table.js';
import type { Results } from './results.js';
import { measureSandboxMemory } from './sandbox-memory.js';
import { measureSpawn } from './spawn.js';
import { bubblewrapSubject } from './subjects/bubblewrap.js';
import { floorSubject } from './subjects/floor.js';
import { wardenpoolSubject } from './subjects/wardenpool.js';
import { measureThroughput } from './throughput.js';

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('it takes a whole number from 1 up');
  return value;
}

const options = new Command('npm run bench --')
  .description(
    'rates, latencies, CPU time and memory, beside the floor and beside bubblewrap: median (min-max)',
  )
  .option('--rounds <number>', 'rounds', positive, 5)
  .option('--smoke', 'one short round: does it run at all?', false)
  .parse()
  .opts<{ rounds: number; smoke: boolean }>();
const { smoke } = options;
const rounds = smoke ? 1 : options.rounds;

const all = [await wardenpoolSubject(), await floorSubject()];
const oneCall = [
  await wardenpoolSubject('wardenpool, strict', { isolation: 'strict' }),
  await floorSubject({ strict: true }),
  await bubblewrapSubject(),
];
const throughput = await measureThroughput({ all, oneCall }, rounds, smoke);
for (const subject of [...all, ...oneCall]) await subject.close();

progress('the wait for a sandbox');
const spawn = await measureSpawn(rounds, smoke);
progress('the memory of sandboxes');
const memory = await measureSandboxMemory(rounds, smoke);
progress('a pool under load');
const load = await measureLoad(rounds, smoke);
progress('deadlines');
const deadlines = await measureDeadlines(rounds, smoke);
progress('guest compute');
const measures = [...spawn, ...memory, ...load, ...deadlines, ...(await measureCompute(rounds))];

const results: Results = {
  at: new Date().toISOString(),
  command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
  rounds,
  smoke,
  machine: machine(),
  throughput,
  measures,
  goals: goals({ throughput, measures }),
};

console.log(`${table(results)}\n`);
mkdirSync(RESULTS, { recursive: true });
for (const [name, text] of [
  ['bench.json', `${JSON.stringify(results, null, 2)}\n`],
  ['bench.html', page(results)],
] as const) {
  writeFileSync(`${RESULTS}${name}`, text);
  console.log(`written to ${RESULTS}${name}`);
}
