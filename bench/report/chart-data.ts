/** What the charts show, taken from the results: one chart has groups, a group has a row for each subject. */
import type { Spread } from '../measure.js';
import type { MeasureRow, Results, ThroughputRow } from '../results.js';
import { unitSuffix } from './figures.js';
import { NATIVE_QUICKJS } from './subjects.js';

export interface ChartRow {
  subject: string;
  value: Spread;
  /** `value` to that of the chart's reference. */
  ratio?: Spread;
}

export interface ChartGroup<Row = ChartRow> {
  name: string;
  rows: Row[];
}

export interface BarChart {
  title: string;
  /** What `value` is in: "per second". */
  unit: string;
  /** What `ratio` is to: "× floor". */
  ratioTo: string;
  /** Which of the two is as long as the bar. */
  drawn: 'value' | 'ratio';
  groups: ChartGroup[];
}

export interface LatencyRow {
  subject: string;
  p50: Spread;
  p99: Spread;
  /** The median's, to the floor. */
  ratio?: Spread;
}

export interface LatencyChart {
  title: string;
  groups: ChartGroup<LatencyRow>[];
}

const TO_FLOOR = '× floor';

export function rateCharts(results: Results): BarChart[] {
  return byInFlight(results.throughput).map(({ title, rows }) => ({
    title,
    unit: 'per second',
    ratioTo: TO_FLOOR,
    drawn: 'value',
    groups: byWorkload(rows, ({ subject, perSecond, toFloor }) => ({
      subject,
      value: perSecond,
      ...(toFloor && { ratio: toFloor.perSecond }),
    })),
  }));
}

export function cpuCharts(results: Results): BarChart[] {
  return byInFlight(results.throughput).map(({ title, rows }) => ({
    title,
    unit: 'ms',
    ratioTo: TO_FLOOR,
    drawn: 'value',
    groups: byWorkload(rows, ({ subject, cpuMs, toFloor }) => ({
      subject,
      value: cpuMs,
      ...(toFloor && { ratio: toFloor.cpuMs }),
    })),
  }));
}

export function latencyCharts(results: Results): LatencyChart[] {
  return byInFlight(results.throughput).map(({ title, rows }) => ({
    title,
    groups: byWorkload(rows, ({ subject, p50Ms, p99Ms, toFloor }) => ({
      subject,
      p50: p50Ms,
      p99: p99Ms,
      ...(toFloor && { ratio: toFloor.p50Ms }),
    })),
  }));
}

/** The groups of measures, each with a chart for each unit that it has. */
export function measureCharts(results: Results): { group: string; charts: BarChart[] }[] {
  return distinct(results.measures.map(({ group }) => group)).map((group) => {
    const rows = results.measures.filter((row) => row.group === group);
    const units = distinct(rows.map(({ unit }) => unit));
    return { group, charts: units.map((unit) => measureChart(rows, unit)) };
  });
}

function measureChart(all: MeasureRow[], unit: MeasureRow['unit']): BarChart {
  const rows = all.filter((row) => row.unit === unit);
  const toNative = rows.some(({ subject }) => subject === NATIVE_QUICKJS);
  return {
    title: toNative
      ? 'relative to native QuickJS'
      : { ms: 'ms', KB: 'KB', count: 'number', ratio: 'ratio' }[unit],
    unit: unitSuffix(unit).trim(),
    ratioTo: toNative ? '× native' : TO_FLOOR,
    drawn: toNative ? 'ratio' : 'value',
    groups: distinct(rows.map(({ name }) => name)).map((name) => {
      const together = rows.filter((row) => row.name === name);
      const native = together.find(({ subject }) => subject === NATIVE_QUICKJS)?.value.median;
      return {
        name,
        rows: together.map(({ subject, value, toFloor }) => {
          const ratio = native === undefined ? toFloor : divided(value, native);
          return { subject, value, ...(ratio && { ratio }) };
        }),
      };
    }),
  };
}

function byInFlight(rows: ThroughputRow[]): { title: string; rows: ThroughputRow[] }[] {
  return distinct(rows.map(({ inFlight }) => inFlight)).map((inFlight) => ({
    title: `${inFlight} in flight`,
    rows: rows.filter((row) => row.inFlight === inFlight),
  }));
}

function byWorkload<Row>(rows: ThroughputRow[], rowOf: (row: ThroughputRow) => Row): ChartGroup<Row>[] {
  return distinct(rows.map(({ workload }) => workload)).map((name) => ({
    name,
    rows: rows.filter(({ workload }) => workload === name).map(rowOf),
  }));
}

function divided({ median, min, max }: Spread, by: number): Spread {
  return { median: median / by, min: min / by, max: max / by };
}

export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
