/**
 * `npm run bench:hostile`: how much later ten honest programs are done when ten hostile ones run beside them in the same pool, for each
 * kind of hostility, in turns with the same ten alone. Ends with 1 if the p99 of a kind grows by the factor that it must not.
 */
import { Command } from 'commander';
import { createPool } from 'wardenpool';
import { markdownTable } from '../markdown-table.js';
import { spread } from '../measure.js';
import { honestLatency, type Latency } from './measure.js';
import { HOSTILE_CALLS, HOSTILE_PROGRAMS } from './programs.js';

const { smoke, only } = new Command('npm run bench:hostile --')
  .option('--smoke', 'one short round: does it run at all?', false)
  .option('--only <text>', 'the kinds whose name contains it', '')
  .parse()
  .opts<{ smoke: boolean; only: string }>();

const ROUNDS = smoke ? 1 : 3;
const MEASURED_MS = smoke ? 200 : 2_000;
/** The hostile ones have so long to themselves before it is measured. */
const LEAD_MS = smoke ? 50 : 300;
const MOST_FACTOR = 3;

const KINDS = [
  ...HOSTILE_PROGRAMS.map((program) => ({ name: program.name, programs: [program] })),
  { name: 'all of them, mixed', programs: [...HOSTILE_PROGRAMS] },
].filter(({ name }) => name.includes(only));

const show = (values: number[]): string => {
  const { median, min, max } = spread(values);
  const [a, b, c] = [median, min, max].map((value) => value.toFixed(1));
  return `${a} (${b}-${c})`;
};

const rows = [['backend', 'beside', 'alone, p99 ms', 'beside, p99 ms', 'p99 factor', 'p50 factor']];
const tooMuch: string[] = [];
for (const backend of ['namespaces', 'seccomp'] as const) {
  const pool = await createPool({ backend, limits: { maxToolCalls: HOSTILE_CALLS } });
  await honestLatency(pool, [], MEASURED_MS, 0); // the first runs are not like the others
  for (const { name, programs } of KINDS) {
    const rounds: [alone: Latency, beside: Latency][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await honestLatency(pool, [], MEASURED_MS, 0);
      rounds.push([alone, await honestLatency(pool, programs, MEASURED_MS, LEAD_MS)]);
    }
    const factors = rounds.map(([alone, beside]) => beside.p99Ms / alone.p99Ms);
    rows.push([
      backend,
      name,
      show(rounds.map(([alone]) => alone.p99Ms)),
      show(rounds.map(([, beside]) => beside.p99Ms)),
      show(factors),
      show(rounds.map(([alone, beside]) => beside.p50Ms / alone.p50Ms)),
    ]);
    if (spread(factors).median > MOST_FACTOR) tooMuch.push(`${name}, on ${backend}`);
  }
  await pool.close();
}
console.log(markdownTable(rows));
if (!smoke && tooMuch.length > 0) {
  console.error(
    `the p99 of the honest ones grows by more than a factor of ${MOST_FACTOR} beside: ${tooMuch.join('; ')}`,
  );
  process.exitCode = 1;
}
