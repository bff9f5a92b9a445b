/** The figures behind a chart, folded away under it. */
import type { Spread } from '../measure.js';
import type { BarChart, ChartGroup, LatencyChart } from './chart-data.js';
import { middleAndRange } from './figures.js';
import { type Html, html } from './html.js';

export function barData({ unit, ratioTo, groups }: BarChart): Html {
  return dataTable([unit, ratioTo], groups, ({ value, ratio }) => [value, ratio]);
}

export function latencyData({ groups }: LatencyChart): Html {
  return dataTable(['p50, ms', 'p50, × floor', 'p99, ms'], groups, ({ p50, p99, ratio }) => [
    p50,
    ratio,
    p99,
  ]);
}

function dataTable<Row extends { subject: string }>(
  titles: readonly string[],
  groups: readonly ChartGroup<Row>[],
  valuesOf: (row: Row) => (Spread | undefined)[],
): Html {
  const all = groups.map(({ rows }) => rows.map(valuesOf));
  // A column that no row has anything for is left out: the ratios, where nothing was the floor.
  const shown = titles
    .map((title, index) => ({ title, index }))
    .filter(({ index }) => all.flat().some((values) => values[index] !== undefined));
  const bodies = groups.map(
    ({ name, rows }, group) => html`<tbody>
<tr><th scope="rowgroup" colspan="${shown.length + 1}">${name}</th></tr>
${rows.map(({ subject }, row) => {
  const cells = shown.map(({ index }) => {
    const value = all[group]?.[row]?.[index];
    return html`<td>${value && middleAndRange(value)}</td>`;
  });
  return html`<tr><th scope="row">${subject}</th>${cells}</tr>\n`;
})}</tbody>\n`,
  );
  return html`<details><summary>Figures</summary>
<div class="scroll"><table>
<thead><tr><td></td>${shown.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
${bodies}</table></div></details>`;
}
