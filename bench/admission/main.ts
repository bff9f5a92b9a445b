/**
 * `npm run bench:admission`: a pool that is handed far more runs than may wait, and a tenant with ten runs beside one with ten
 * thousand. Ends with 1 if the main thread is away, memory stays, a run is unaccounted for, or the small tenant waits, for longer or
 * more than it must.
 */
import { Command } from 'commander';
import { markdownTable } from '../markdown-table.js';
import { spread } from '../measure.js';
import { MAX_QUEUE, type Overload, overload } from './overload.js';
import { BATCH, type Tenants, tenants } from './tenants.js';

const { smoke } = new Command('npm run bench:admission --')
  .option('--smoke', 'less of everything, whose figures are not judged: does it run at all?', false)
  .parse()
  .opts<{ smoke: boolean }>();

const RUNS = smoke ? 2_000 : 20_000;
const ROUNDS = smoke ? 1 : 5;
const CROWD = smoke ? 500 : 10_000;
const BATCHES = smoke ? 3 : 60;
const MOST_LOOP_DELAY_MS = 20;
const MOST_FACTOR = 3;
/** What the allocators of libc and V8 may keep, bytes. */
const MEMORY_LEFT_BYTES = 32 * 1_048_576;

const defects: string[] = [];
const show = (values: number[], digits = 1): string => {
  const { median, min, max } = spread(values);
  const [a, b, c] = [median, min, max].map((value) => value.toFixed(digits));
  return `${a} (${b}-${c})`;
};

const rounds = await overload(RUNS, ROUNDS);
console.log(
  `${RUNS} runs at once, maxQueue ${MAX_QUEUE}: median (minimum-maximum) of ${ROUNDS} rounds after a first\n`,
);
const of = (pick: (round: Overload) => number, digits?: number): string => show(rounds.map(pick), digits);
console.log(
  markdownTable([
    ['', 'figure'],
    ['done', of((round) => round.done, 0)],
    ['rejected with QueueFullError', of((round) => round.rejected, 0)],
    ['handing all of them in, µs per run', of((round) => (round.handInMs * 1000) / RUNS)],
    ['until the last rejection was seen, ms', of((round) => round.rejectedMs)],
    ['until the last was done, ms', of((round) => round.doneMs, 0)],
    ["event loop's delay, p50 ms", of((round) => round.loopDelayP50Ms)],
    ["event loop's delay, p99 ms", of((round) => round.loopDelayP99Ms)],
    ["event loop's delay, most ms", of((round) => round.loopDelayMostMs)],
    ['heap that is left, MB', of((round) => round.heapLeftBytes / 1e6)],
    ['resident memory that is left, MB', of((round) => round.residentLeftBytes / 1e6)],
  ]),
);
for (const { handedIn, done, rejected } of rounds)
  if (done + rejected !== handedIn)
    defects.push(`of ${handedIn} runs, ${done} and ${rejected} are accounted for`);
const delay = spread(rounds.map((round) => round.loopDelayP99Ms)).median;
if (delay > MOST_LOOP_DELAY_MS) defects.push(`the p99 of the event loop's delay is ${delay.toFixed(1)} ms`);
const left = rounds.at(-1)?.residentLeftBytes ?? 0;
if (left > MEMORY_LEFT_BYTES)
  defects.push(`${(left / 1e6).toFixed(0)} MB more are resident after the last round`);

console.log(
  `\n${BATCH} runs of one tenant at once, alone and beside another's ${CROWD} that wait: p99 of ${BATCHES} times, ms\n`,
);
const rows = [
  ['slots', 'wait, alone', 'wait, beside', 'factor', 'answer, alone', 'answer, beside', 'factor'],
];
for (const concurrency of [1, 4, undefined]) {
  const { alone, beside, slots }: Tenants = await tenants(concurrency, CROWD, BATCHES);
  const figures = [
    [alone.waitP99Ms, beside.waitP99Ms],
    [alone.answerP99Ms, beside.answerP99Ms],
  ] as const;
  rows.push([
    String(slots),
    ...figures.flatMap(([a, b]) => [a.toFixed(1), b.toFixed(1), (b / a).toFixed(1)]),
  ]);
  const factor = beside.waitP99Ms / alone.waitP99Ms;
  if (factor > MOST_FACTOR)
    defects.push(`with ${slots} slots, the small tenant waits ${factor.toFixed(1)} times as long`);
}
console.log(markdownTable(rows));

if (!smoke)
  for (const defect of defects) {
    console.error(defect);
    process.exitCode = 1;
  }
