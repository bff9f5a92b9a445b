/** The tables of a profile: microseconds of one execution, and per cent. */
import { markdownTable } from '../markdown-table.js';
import type { Time } from './javascript.js';
import { type Layers, PLACES, type Place } from './layers.js';
import type { Profiled } from './load.js';

type PerRun = Profiled['perRun'];
type Row = readonly [name: string, microseconds: number];

/** Rows below this share of all are added up. */
const SMALLEST_SHARE = 0.01;

const NAMES: Record<Place, string> = {
  main: 'main thread',
  workers: 'worker threads',
  others: "Node's own threads",
  launchers: 'launchers',
  sandbox: 'sandbox',
  deferred: 'deferred by the kernel',
};

/** Each thread and process as a whole. */
export function placeTable(perRun: PerRun, layers: Layers): string {
  return table(
    'where',
    PLACES.map((place) => [NAMES[place], microsecondsOf(place, perRun, layers)]),
  );
}

/** Each of them divided as perf's samples are. */
export function layerTable(perRun: PerRun, layers: Layers): string {
  const rows = PLACES.flatMap((place): Row[] => {
    const scale = microsecondsOf(place, perRun, layers) / samplesOf(place, layers);
    return largestFirst(layers.get(place) ?? []).map(([layer, samples]) => [
      `${NAMES[place]}: ${layer}`,
      samples * scale,
    ]);
  });
  return table('what', rows);
}

/** The time of a thread divided as the profile of its JavaScript is. */
export function fileTable(time: Time, microseconds: number): string {
  const rows = largestFirst(time);
  const scale = microseconds / sum(rows);
  return table(
    'file',
    rows.map(([file, share]) => [file, share * scale]),
  );
}

/** What the kernel defers is counted for nobody: it is in proportion to its samples. */
function microsecondsOf(place: Place, perRun: PerRun, layers: Layers): number {
  if (place !== 'deferred') return perRun[place];
  return (samplesOf(place, layers) / samplesOf('sandbox', layers)) * perRun.sandbox;
}

function samplesOf(place: Place, layers: Layers): number {
  return sum([...(layers.get(place) ?? [])]);
}

function largestFirst(entries: Iterable<[string, number]>): Row[] {
  return [...entries].sort(([, a], [, b]) => b - a);
}

function sum(rows: Row[]): number {
  return rows.reduce((total, [, value]) => total + value, 0);
}

function table(title: string, rows: Row[]): string {
  const all = sum(rows);
  const large = rows.filter(([, microseconds]) => microseconds >= SMALLEST_SHARE * all);
  const small: Row[] = large.length < rows.length ? [['less than 1 % each', all - sum(large)]] : [];
  const shown: Row[] = [...large, ...small, ['all', all]];
  return markdownTable([
    [title, 'µs', '%'],
    ...shown.map(([name, microseconds]) => [
      name,
      microseconds.toFixed(0),
      ((100 * microseconds) / all).toFixed(1),
    ]),
  ]);
}
