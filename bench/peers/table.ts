/** The comparison as text: a table for each workload and number in flight. */
import { markdownTable } from '../markdown-table.js';
import type { Spread } from '../measure.js';
import type { ComparisonRow, Figures } from './comparison.js';

const HEAD = [
  'subject',
  'isolated by',
  'per second',
  'ours / this',
  'p50 ms',
  'ours / this',
  'per CPU second',
  'ours / this',
  'peer wins',
];

const IN_WORDS: Record<keyof Figures, string> = { perSecond: 'rate', p50Ms: 'p50', perCpuSecond: 'CPU' };

export function comparisonTables(rows: readonly ComparisonRow[]): string {
  const titles = [...new Set(rows.map(titleOf))];
  return titles
    .map((title) => {
      const lines = rows.filter((row) => titleOf(row) === title).map(line);
      return `${title}\n\n${markdownTable([HEAD, ...lines])}`;
    })
    .join('\n\n');
}

function titleOf({ workload, inFlight }: ComparisonRow): string {
  return `${workload}, ${inFlight} in flight`;
}

function line({ subject, isolates, figures, oursToThis, peerWins }: ComparisonRow): string[] {
  return [
    subject,
    isolates,
    range(figures.perSecond),
    oursToThis ? range(oursToThis.perSecond) : '',
    range(figures.p50Ms),
    oursToThis ? range(oursToThis.p50Ms) : '',
    range(figures.perCpuSecond),
    oursToThis ? range(oursToThis.perCpuSecond) : '',
    peerWins
      .map((figure) => `${IN_WORDS[figure]}${isClear(oursToThis?.[figure]) ? '' : ' (not always)'}`)
      .join(', '),
  ];
}

/** Whether every round says the same. */
function isClear(ratio: Spread | undefined): boolean {
  return ratio !== undefined && (ratio.max < 1 || ratio.min > 1);
}

function range({ median, min, max }: Spread): string {
  return `${digits(median)} (${digits(min)}-${digits(max)})`;
}

/** Two digits at least, and no more behind the point than they need. */
function digits(value: number): string {
  return value.toFixed(value >= 10 ? 0 : value >= 1 ? 1 : 2);
}
