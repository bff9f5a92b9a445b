/** The results as plain text for a terminal of 120 columns. */
import type { Spread } from '../measure.js';
import type { Goal, Results, ThroughputRow } from '../results.js';
import { type BarChart, distinct, measureCharts } from './chart-data.js';
import { middle, middleAndRange, range, unitSuffix } from './figures.js';

/** Text that goes to the left of its column, or a spread, whose medians stand exactly below each other. */
type Cell = string | Spread | undefined;

export function table(results: Results): string {
  const { at, command, smoke, rounds, machine, throughput, goals } = results;
  return [
    [
      `${at}  ${command}`,
      `${machine.cpu}, ${machine.threads} threads, Linux ${machine.kernel}, Node ${machine.node}`,
      smoke
        ? 'SMOKE RUN: shows that the benchmark works; the figures say nothing about speed.'
        : `median (min-max) of ${rounds} interleaved rounds; "× floor" is the ratio to the floor, round by round`,
    ],
    ...(throughput.length > 0 ? [rates(throughput), latencies(throughput)] : []),
    ...measureCharts(results).flatMap(({ group, charts }) => charts.map((chart) => measures(group, chart))),
    ...(goals.length > 0 ? [goalLines(goals)] : []),
  ]
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function rates(rows: readonly ThroughputRow[]): string[] {
  return aligned([
    ['Rate and CPU time', 'per second', '× floor', 'CPU ms', '× floor'],
    ...byWorkload(rows, ({ subject, perSecond, cpuMs, toFloor }) => [
      `    ${subject}`,
      perSecond,
      toFloor?.perSecond,
      cpuMs,
      toFloor?.cpuMs,
    ]),
  ]);
}

function latencies(rows: readonly ThroughputRow[]): string[] {
  return aligned([
    ['Latency', 'p50 ms', '× floor', 'p99 ms'],
    ...byWorkload(rows, ({ subject, p50Ms, p99Ms, toFloor }) => [
      `    ${subject}`,
      p50Ms,
      toFloor?.p50Ms,
      p99Ms,
    ]),
  ]);
}

function byWorkload(rows: readonly ThroughputRow[], line: (row: ThroughputRow) => Cell[]): Cell[][] {
  const titleOf = ({ workload, inFlight }: ThroughputRow) => `  ${workload}; ${inFlight} in flight`;
  return distinct(rows.map(titleOf)).flatMap((title) => [
    [title],
    ...rows.filter((row) => titleOf(row) === title).map(line),
  ]);
}

function measures(group: string, { unit, ratioTo, groups }: BarChart): string[] {
  const hasRatio = groups.some(({ rows }) => rows.some(({ ratio }) => ratio !== undefined));
  return aligned([
    [`${group.charAt(0).toUpperCase()}${group.slice(1)}`, unit, ...(hasRatio ? [ratioTo] : [])],
    ...groups.flatMap(({ name, rows }): Cell[][] => [
      [`  ${name}`],
      ...rows.map(({ subject, value, ratio }) => [`    ${subject}`, value, ...(hasRatio ? [ratio] : [])]),
    ]),
  ]);
}

function goalLines(goals: readonly Goal[]): string[] {
  return aligned([
    ['Goals', '', 'goal', 'reached'],
    ...goals.map(({ name, goal, reached, unit, met }): Cell[] => [
      `  ${name}`,
      met ? '✓ met' : '✗ not met',
      goal,
      `${middleAndRange(reached)}${unitSuffix(unit)}`,
    ]),
  ]);
}

/** The first line is the heading of the columns, a line of one cell that of a part. */
function aligned(lines: Cell[][]): string[] {
  const widthOf = (column: number, width: (cell: Cell) => number) =>
    Math.max(0, ...lines.filter(({ length }) => length > 1).map((line) => width(line[column])));
  const columns = (lines[0] ?? []).map((_, column) => {
    const median = widthOf(column, (cell) => (isSpread(cell) ? middle(cell).length : 0));
    const text = (cell: Cell) => (isSpread(cell) ? spreadText(cell, median) : (cell ?? ''));
    return { text, width: widthOf(column, (cell) => text(cell).length) };
  });
  return lines.map((line) =>
    line
      .map((cell, column) => columns[column]?.text(cell).padEnd(columns[column].width))
      .join('  ')
      .trimEnd(),
  );
}

function spreadText(spread: Spread, width: number): string {
  const ends = range(spread);
  return `${middle(spread).padStart(width)}${ends && ` (${ends})`}`;
}

function isSpread(cell: Cell): cell is Spread {
  return typeof cell === 'object';
}
