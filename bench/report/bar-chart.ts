/** A bar for each subject, as long as its median, with a thin line from its smallest to its largest figure. */
import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from 'echarts';
import type { Spread } from '../measure.js';
import type { BarChart, ChartRow } from './chart-data.js';
import { type Column, colourOf, drawing, frame, linesOf, QUIET_INK, type Reach } from './chart-rows.js';
import { middle } from './figures.js';
import type { Html } from './html.js';

/** `reach` is given, so that charts beside each other can have the same. */
export function barChart(chart: BarChart, reach: Reach): Html {
  const { title, unit, ratioTo, drawn } = chart;
  const lines = linesOf(chart.groups);
  const drawnOf = (row: ChartRow): Spread | undefined => (drawn === 'ratio' ? row.ratio : row.value);
  const hasRatio = lines.some((line) => 'row' in line && line.row.ratio !== undefined);
  const columns: Column<ChartRow>[] = [
    { title: unit, text: ({ value }) => middle(value) },
    ...(hasRatio ? [{ title: ratioTo, text: ({ ratio }: ChartRow) => (ratio ? middle(ratio) : '') }] : []),
  ];
  const bars = lines.flatMap((line, index) => {
    const value = 'row' in line ? drawnOf(line.row)?.median : undefined;
    if (!('row' in line) || value === undefined || !Number.isFinite(value)) return [];
    return [{ value: [value, index], itemStyle: { color: colourOf(line.row.subject) } }];
  });
  const whiskers = lines.flatMap((line, index) => {
    const value = 'row' in line ? drawnOf(line.row) : undefined;
    return value && Number.isFinite(value.min) && Number.isFinite(value.max)
      ? [[value.min, value.max, index]]
      : [];
  });
  const option = frame(lines, columns, { type: 'value', ...reach, interval: (reach.max - reach.min) / 4 }, [
    {
      type: 'bar',
      barWidth: 12,
      data: bars,
      itemStyle: { borderRadius: [0, 2, 2, 0] },
      ...(drawn === 'ratio' && { markLine: atOne }),
    },
    { type: 'custom', data: whiskers, renderItem: whisker, encode: { x: [0, 1], y: 2 }, z: 3 },
  ]);
  return drawing(option, lines.length, description(title, unit, chart));
}

/** Where a bar of the reference ends. */
const atOne = {
  symbol: 'none',
  label: { show: false },
  lineStyle: { color: QUIET_INK, type: 'dashed', width: 1 },
  data: [{ xAxis: 1 }],
};

function whisker(_: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) {
  const [min, max, index] = [Number(api.value(0)), Number(api.value(1)), Number(api.value(2))];
  const [from = 0, y = 0] = api.coord([min, index]);
  const [to = 0] = api.coord([max, index]);
  const [top, bottom] = [y - 3, y + 3];
  return {
    type: 'path' as const,
    shape: {
      pathData: `M${from} ${top}V${bottom}M${from} ${y}H${to}M${to} ${top}V${bottom}`,
    },
    style: { stroke: 'var(--whisker)', lineWidth: 1.25, fill: 'none' },
  };
}

function description(title: string, unit: string, { groups }: BarChart): string {
  const texts = groups.map(
    ({ name, rows }) =>
      `${name}: ${rows.map(({ subject, value }) => `${subject} ${middle(value)}`).join(', ')}`,
  );
  return `${title}, medians, ${unit}. ${texts.join('; ')}.`;
}

/** Round numbers around all figures of these charts; from nothing up, unless one is less than nothing. */
export function reachOf(charts: readonly BarChart[]): Reach {
  const ends = charts
    .flatMap(({ groups, drawn }) =>
      groups.flatMap(({ rows }) => rows.map(({ value, ratio }) => (drawn === 'ratio' ? ratio : value))),
    )
    .flatMap((spread) => (spread ? [spread.min, spread.max] : []))
    .filter(Number.isFinite);
  const end = roundedUp(Math.max(...ends.map(Math.abs)));
  return { min: ends.some((value) => value < 0) ? -end : 0, max: end };
}

/** These steps are whole when divided by four, as the axis is. */
const STEPS = [1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10];

function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (STEPS.find((step) => step * power >= value) ?? 10);
}
