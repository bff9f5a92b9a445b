/** The median and the 99th percentile of each subject as two marks on a logarithmic axis, joined by a line. */
import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from 'echarts';
import type { LatencyChart, LatencyRow } from './chart-data.js';
import { type Column, colourOf, drawing, frame, linesOf, type Reach } from './chart-rows.js';
import { middle } from './figures.js';
import type { Html } from './html.js';

const COLUMNS: Column<LatencyRow>[] = [
  { title: 'p50 ms', text: ({ p50 }) => middle(p50) },
  { title: 'p99 ms', text: ({ p99 }) => middle(p99) },
];

/** `reach` is given, so that charts beside each other can have the same. */
export function latencyChart(chart: LatencyChart, reach: Reach): Html {
  const lines = linesOf(chart.groups);
  const marks = lines.flatMap((line, index) => {
    if (!('row' in line) || !isDrawable(line.row)) return [];
    const { subject, p50, p99 } = line.row;
    return [{ index, p50: p50.median, p99: p99.median, color: colourOf(subject) }];
  });
  const option = frame(lines, COLUMNS, { type: 'log', ...reach }, [
    {
      type: 'custom',
      data: marks.map(({ p50, p99, index, color }) => ({ value: [p50, p99, index], itemStyle: { color } })),
      encode: { x: [0, 1], y: 2 },
      renderItem: joint,
    },
    {
      type: 'scatter',
      symbolSize: 9,
      data: marks.map(({ p50, index, color }) => ({ value: [p50, index], itemStyle: { color } })),
      itemStyle: { opacity: 1 },
    },
    {
      type: 'scatter',
      symbol: 'diamond',
      symbolSize: 10,
      data: marks.map(({ p99, index, color }) => ({
        value: [p99, index],
        itemStyle: { color: 'var(--card)', borderColor: color, borderWidth: 2 },
      })),
      itemStyle: { opacity: 1 },
    },
  ]);
  return drawing(option, lines.length, description(chart));
}

function joint(_: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) {
  const [p50, p99, index] = [Number(api.value(0)), Number(api.value(1)), Number(api.value(2))];
  const [x1, y1] = api.coord([p50, index]);
  const [x2, y2] = api.coord([p99, index]);
  return {
    type: 'line' as const,
    shape: { x1, y1, x2, y2 },
    style: { stroke: api.visual('color'), lineWidth: 2 },
  };
}

function description({ title, groups }: LatencyChart): string {
  const texts = groups.map(({ name, rows }) => {
    const subjects = rows.map(({ subject, p50, p99 }) => `${subject} ${middle(p50)} and ${middle(p99)}`);
    return `${name}: ${subjects.join(', ')}`;
  });
  return `${title}, median and 99th percentile of the latency, ms. ${texts.join('; ')}.`;
}

/** The powers of ten around all figures of these charts. */
export function reachOf(charts: readonly LatencyChart[]): Reach {
  const all = charts
    .flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.filter(isDrawable)))
    .flatMap(({ p50, p99 }) => [p50.median, p99.median]);
  if (all.length === 0) return { min: 1, max: 10 };
  return {
    min: 10 ** Math.floor(Math.log10(Math.min(...all))),
    max: 10 ** Math.ceil(Math.log10(Math.max(...all))),
  };
}

/** A logarithmic axis has no place for nothing. */
function isDrawable({ p50, p99 }: LatencyRow): boolean {
  return [p50.median, p99.median].every((value) => Number.isFinite(value) && value > 0);
}
