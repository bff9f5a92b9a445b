/**
 * `npm run bench:commands`: commands in a sandbox, in turns with what one would use without this package: the relay of `wardenpool run`
 * beside socat, the start of a command beside bubblewrap. Ends with 1 if the relay has less than half of socat's rate.
 */
import { Command } from 'commander';
import { markdownTable } from '../markdown-table.js';
import { quantile, spread } from '../measure.js';
import { STARTERS, startOnce } from './latency.js';
import { DIRECTIONS, RELAYS, type Relay, relayOnce } from './relay.js';

const { smoke } = new Command('npm run bench:commands --')
  .option('--smoke', 'one short round: does it run at all?', false)
  .parse()
  .opts<{ smoke: boolean }>();

const ROUNDS = smoke ? 1 : 5;
const BYTES = smoke ? 2 ** 24 : 2 ** 29;
const STARTS = smoke ? 5 : 40;
const LEAST_RATIO = 0.5;

const figures = new Map<string, number[]>();
const note = (name: string, value: number) => figures.set(name, [...(figures.get(name) ?? []), value]);

for (const starter of STARTERS) await startOnce(starter); // the first one tries the machine
for (let round = 0; round < ROUNDS; round++) {
  for (const direction of DIRECTIONS)
    for (const relay of RELAYS) note(`${relay}, ${direction}`, await relayOnce(relay, direction, BYTES));
  for (const starter of STARTERS) {
    const times: number[] = [];
    for (let start = 0; start < STARTS; start++) times.push(await startOnce(starter));
    note(
      starter,
      quantile(
        times.sort((a, b) => a - b),
        0.5,
      ),
    );
  }
}

function row(title: string, ours: string, theirs: string): { cells: string[]; ratio: number } {
  const [a, b] = [figures.get(ours) ?? [], figures.get(theirs) ?? []];
  const ratios = spread(a.map((value, round) => value / (b[round] ?? Number.NaN)));
  const cells = [
    title,
    ...[spread(a), spread(b), ratios].map(
      ({ median, min, max }) => `${show(median)} (${show(min)}-${show(max)})`,
    ),
  ];
  return { cells, ratio: ratios.median };
}

function show(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

const beside = (peer: Relay) =>
  DIRECTIONS.map((direction) =>
    row(`bytes ${direction}, MB/s, beside ${peer}`, `wardenpool run, ${direction}`, `${peer}, ${direction}`),
  );
const relays = beside('socat');
const larger = beside('socat -b 65536');
const start = row('`true`, p50 ms, beside bubblewrap', 'spawnIsolated', 'bubblewrap');
console.log(
  markdownTable([
    ['', 'ours', 'theirs', 'ours / theirs'],
    ...[...relays, ...larger, start].map(({ cells }) => cells),
  ]),
);
if (!smoke && relays.some(({ ratio }) => !(ratio >= LEAST_RATIO))) {
  console.error(`the relay has less than ${LEAST_RATIO} of socat's rate`);
  process.exitCode = 1;
}
