/**
 * `npm run bench:counts`: a guard against regressions that does not depend on how fast the machine is, or how busy. Counts
 * what one execution costs, compares with the committed baseline, and fails if something got worse. `--update` makes
 * the counts of now the baseline.
 */
import { Command } from 'commander';
import { markdownTable } from '../markdown-table.js';
import { differenceOf, readBaseline, writeBaseline } from './baseline.js';
import { type Comparison, type Counts, compare, explain, PROCESSES } from './compare.js';
import { count } from './count.js';

const UPDATE = 'npm run bench:counts -- --update';

const { update } = new Command('npm run bench:counts --')
  .description('what one warm execution with one tool call costs, in counts, against the baseline')
  .option('--update', 'make the counts of now the baseline', false)
  .parse()
  .opts<{ update: boolean }>();

try {
  const counts = await count();
  if (update) console.log(`${callTable(counts)}\n\nwritten to ${writeBaseline(counts)}`);
  else report(counts);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function report(counts: Counts): void {
  const baseline = readBaseline();
  const comparisons = compare(baseline, counts);
  console.log(`${figureTable(comparisons)}\n\n${callTable(counts)}\n`);
  const difference = differenceOf(baseline);
  if (difference !== undefined) console.log(difference);
  for (const sentence of explain(comparisons, baseline, counts)) console.log(sentence);
  const verdicts = new Set(comparisons.map(({ verdict }) => verdict));
  if (verdicts.has('worse')) {
    console.log(`Undo what made it worse; if it is worth its price, update the baseline: ${UPDATE}`);
    process.exitCode = 1;
  } else if (verdicts.has('new')) {
    console.log(`Update the baseline: ${UPDATE}`);
    process.exitCode = 1;
  } else if (verdicts.has('better')) {
    console.log(`So that this is not lost again, update the baseline: ${UPDATE}`);
  } else {
    console.log('Nothing got worse.');
  }
}

function figureTable(comparisons: Comparison[]): string {
  return markdownTable([
    ['one execution', 'baseline', 'now', ''],
    ...comparisons.map(({ name, baseline, now, verdict }) => [
      name,
      baseline === undefined ? '-' : String(baseline),
      String(now),
      verdict,
    ]),
  ]);
}

function callTable({ systemCalls }: Counts): string {
  const names = [...new Set(PROCESSES.flatMap((process) => Object.keys(systemCalls[process])))].sort();
  return markdownTable([
    ['system calls', ...PROCESSES],
    ...names.map((name) => [name, ...PROCESSES.map((process) => String(systemCalls[process][name] ?? ''))]),
  ]);
}
