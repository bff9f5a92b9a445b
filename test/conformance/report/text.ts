/** Outcomes as a table for people, and as JSON for machines. */
import { type Outcome, titleOf } from './cases.js';

export type Counts = { passed: number; failed: number; notGranted: number };

export function countsOf(outcomes: readonly Outcome[]): Counts {
  const count = (status: Outcome['status']): number =>
    outcomes.filter((outcome) => outcome.status === status).length;
  return { passed: count('passed'), failed: count('failed'), notGranted: count('not granted') };
}

function line({ status, name, ms, message = '' }: Outcome): string {
  switch (status) {
    case 'passed':
      return `  ok           ${name} (${ms} ms)`;
    case 'not granted':
      return `  not granted  ${name} (needs ${message})`;
    case 'failed':
      return `  FAILED       ${name} (${ms} ms)\n${message.replaceAll(/^/gm, '               ')}`;
  }
}

/** One line for each case below the name of its section, then the counts. */
export function table(outcomes: readonly Outcome[]): string {
  const lines: string[] = [];
  let section = '';
  for (const outcome of outcomes) {
    if (outcome.section !== section) lines.push('', outcome.section);
    section = outcome.section;
    lines.push(line(outcome));
  }
  const { passed, failed, notGranted } = countsOf(outcomes);
  lines.push('', `${passed} passed, ${failed} failed, ${notGranted} not granted`);
  const failures = outcomes.filter(({ status }) => status === 'failed');
  if (failures.length > 0) lines.push('', 'Failed:', ...failures.map((failure) => `  ${titleOf(failure)}`));
  return `${lines.join('\n').trimStart()}\n`;
}

/** `about`: further members of the report, such as what was tested. */
export function json(outcomes: readonly Outcome[], about: Record<string, unknown>): string {
  return `${JSON.stringify({ ...about, ...countsOf(outcomes), cases: outcomes }, null, 2)}\n`;
}
