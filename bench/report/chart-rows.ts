/**
 * The frame that all charts share: names at the left, columns of figures at the right, the drawing between them. Colours
 * are variables of the page's style sheet, so that one drawing serves light and dark.
 */
import { BarChart, CustomChart, ScatterChart } from 'echarts/charts';
import { GridComponent, MarkLineComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { ChartGroup } from './chart-data.js';
import { Html, html } from './html.js';
import { BUBBLEWRAP, FLOOR, isOrVaries, NATIVE_QUICKJS, OURS } from './subjects.js';

use([BarChart, CustomChart, ScatterChart, GridComponent, MarkLineComponent, SVGRenderer]);

/** What the drawing is made for; the page scales it by no more than a third up or down. */
const WIDTH = 476;
const NAMES_WIDTH = 158;
const COLUMN_WIDTH = 58;
const ROW_HEIGHT = 20;
const AXIS_HEIGHT = 24;

const INK = 'var(--ink)';
export const QUIET_INK = 'var(--quiet-ink)';
const LINE = 'var(--line)';
const FONT_SIZE = 12;

/** One line of a chart: the heading of a group, or a subject. */
export type Line<Row> = { heading: string } | { row: Row };

export interface Column<Row> {
  title: string;
  text: (row: Row) => string;
}

/** Where an axis begins and ends. */
export interface Reach {
  min: number;
  max: number;
}

export function linesOf<Row>(groups: readonly ChartGroup<Row>[]): Line<Row>[] {
  return groups.flatMap(({ name, rows }) => [{ heading: name }, ...rows.map((row) => ({ row }))]);
}

export function colourOf(subject: string): string {
  const variant = subject.includes(', ') ? '-variant' : '';
  if (isOrVaries(subject, OURS)) return `var(--ours${variant})`;
  if (isOrVaries(subject, FLOOR) || subject === NATIVE_QUICKJS) return `var(--reference${variant})`;
  return subject === BUBBLEWRAP ? 'var(--bubblewrap)' : 'var(--other)';
}

/** The frame for these lines. `axis` goes to the axis along the bottom, `series` are the drawing. */
export function frame<Row extends { subject: string }>(
  lines: readonly Line<Row>[],
  columns: readonly Column<Row>[],
  axis: object,
  series: object[],
): EChartsCoreOption {
  const names = lines.map((line) =>
    'heading' in line
      ? heading(line.heading, columns.length)
      : name(line.row.subject, line.row.subject === OURS),
  );
  return {
    animation: false,
    textStyle: { fontFamily: 'inherit', fontSize: FONT_SIZE },
    grid: {
      left: NAMES_WIDTH,
      right: columns.length * COLUMN_WIDTH + 4,
      top: 2,
      bottom: AXIS_HEIGHT,
      // The places of the texts are ours: by itself the grid would shrink to make room for them again.
      outerBoundsMode: 'none',
    },
    xAxis: {
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: QUIET_INK, fontSize: 11, hideOverlap: true },
      splitLine: { lineStyle: { color: LINE, width: 1 } },
      ...axis,
    },
    yAxis: [
      { ...verticalAxis(names), axisLabel: { ...labels(NAMES_WIDTH), color: INK } },
      ...columns.map((column, index) => ({
        ...verticalAxis(columnTexts(column, lines)),
        position: 'right',
        offset: index * COLUMN_WIDTH,
        axisLabel: { ...labels(COLUMN_WIDTH), color: index === 0 ? INK : QUIET_INK },
      })),
    ],
    series: series.map((one) => ({ silent: true, emphasis: { disabled: true }, ...one })),
  };
}

/* A text takes its alignment from its own style only, and from no axis. */

/** Nothing is drawn in its line, so it may be as long as there is room beside the columns. */
function heading(text: string, columnCount: number): object {
  return {
    value: text,
    textStyle: { align: 'left', fontWeight: 'bold', width: WIDTH - columnCount * COLUMN_WIDTH },
  };
}

function name(text: string, prominent: boolean): object {
  const style = prominent ? { fontWeight: 'bold', color: 'var(--ours-ink)' } : {};
  // Indented by a space that HTML does not swallow.
  return { value: `\u2002${text}`, textStyle: { align: 'left', ...style } };
}

function columnTexts<Row>({ title, text }: Column<Row>, lines: readonly Line<Row>[]): object[] {
  return lines.map((line, index) =>
    'row' in line
      ? { value: text(line.row), textStyle: { align: 'right' } }
      : {
          value: index === 0 ? title : '',
          textStyle: { align: 'right', color: QUIET_INK, overflow: 'none' },
        },
  );
}

function verticalAxis(data: object[]): object {
  return { type: 'category', inverse: true, data, axisLine: { show: false }, axisTick: { show: false } };
}

function labels(width: number): object {
  return { interval: 0, margin: width, width: width - 6, overflow: 'truncate', fontSize: FONT_SIZE };
}

/** The drawing as an SVG element that says in words what it shows. */
export function drawing(option: EChartsCoreOption, lineCount: number, description: string): Html {
  const height = lineCount * ROW_HEIGHT + AXIS_HEIGHT + 2;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    chart.setOption(option);
    // Its style sheet is about a pointer over the drawing, which changes nothing here.
    const svg = chart.renderToSVGString().replace(/<style.*?<\/style>/s, '');
    const inside = new Html(svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>')));
    return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${description}">${inside}</svg>`;
  } finally {
    chart.dispose();
  }
}
