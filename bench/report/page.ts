/** The whole report as one HTML file that needs nothing else: no script, no font, no network. */
import { readFileSync } from 'node:fs';
import type { Results } from '../results.js';
import { barChart, reachOf } from './bar-chart.js';
import {
  type BarChart,
  cpuCharts,
  type LatencyChart,
  latencyCharts,
  measureCharts,
  rateCharts,
} from './chart-data.js';
import { barData, latencyData } from './data-table.js';
import { goals } from './goals.js';
import { headline } from './headline.js';
import { Html, html } from './html.js';
import { latencyChart, reachOf as latencyReachOf } from './latency-chart.js';

const STYLE = new Html(readFileSync(new URL('./page.css', import.meta.url), 'utf8'));

/** What a reader has to know to read the charts of a group of measures; of other groups the name says it all. */
const MEASURE_GROUPS: Record<string, { title: string; note: string }> = {
  'wait for a sandbox': {
    title: 'Wait for a sandbox',
    note: 'How long a program waits for one that is there already, and for one that must be made first.',
  },
  'memory of a sandbox': {
    title: 'Sandboxes that only wait',
    note: 'What each takes, and what many of them do to the others. Less is better.',
  },
  'guest compute': {
    title: 'Guest compute',
    note: 'Time of a kernel inside the guest, divided by the median of native QuickJS (dashed line). Less is better.',
  },
  load: { title: 'Under load', note: 'What a busy pool does to the main thread and to those who wait.' },
};

export function page(results: Results): string {
  const { rounds, command, at, machine } = results;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>wardenpool benchmark</title>
<style>
${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>wardenpool benchmark</h1>
<p class="note"><time datetime="${at}">${when(at)}</time> · ${machine.cpu}, ${threads(machine.threads)},
${gigabytes(machine.memoryBytes)} of memory · Linux ${machine.kernel} · Node ${machine.node}</p>
<p class="note">To get these figures again: <code>${command}</code></p>
</header>
${results.smoke ? smokeNote : undefined}
${headline(results)}
${goals(results)}
<section>
<h2>How to read the charts</h2>
<p>Bars are medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, in which all subjects took turns; the thin line
goes from the smallest to the largest figure. <b>Floor</b> is the least that a process for each program costs here: a
harness in C that confines the same runner in the same way, without Node. Ratios to it are made round by round. <b>Strict</b>
gives each sandbox namespaces of its own, and is compared with a floor that does so too.</p>
</section>
${bars('Rate', 'Programs a second. More is better.', rateCharts(results))}
${bars('CPU time', 'Of one program, user and system, in all processes that take part. Less is better.', cpuCharts(results))}
${latency(latencyCharts(results))}
<div class="sections">
${measureCharts(results).map(({ group, charts }) => {
  const { title, note } = MEASURE_GROUPS[group] ?? { title: group, note: '' };
  return bars(title, note, charts);
})}</div>
</main>
</body>
</html>
`.text;
}

const smokeNote = html`<p class="warning" role="note"><strong>Smoke run.</strong> One short round, to see that the
benchmark works. These figures say nothing about speed.</p>`;

/** Charts in the same unit get the same axis. */
function bars(title: string, note: string, charts: BarChart[]): Html {
  return section(
    title,
    note,
    charts.map((chart) => {
      const reach = reachOf(charts.filter(({ unit }) => unit === chart.unit));
      return figureElement(`${title}, ${chart.title}`, barChart(chart, reach), barData(chart));
    }),
  );
}

function latency(charts: LatencyChart[]): Html {
  const reach = latencyReachOf(charts);
  return section(
    'Latency',
    'Of one program, from request to answer: half are faster than the disc, 99 of 100 faster than the diamond. ' +
      'The axis is logarithmic. Less is better.',
    charts.map((chart) =>
      figureElement(`Latency, ${chart.title}`, latencyChart(chart, reach), latencyData(chart)),
    ),
  );
}

function section(title: string, note: string, figures: Html[]): Html {
  if (figures.length === 0) return html``;
  return html`<section>
<h2>${title}</h2>
<p>${note}</p>
<div class="charts">
${figures}</div>
</section>\n`;
}

function figureElement(title: string, chart: Html, data: Html): Html {
  return html`<figure>
<figcaption>${title}</figcaption>
${chart}
${data}
</figure>\n`;
}

function when(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

function threads(count: number): string {
  return count === 1 ? '1 thread' : `${count} threads`;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}
