/** Counts of now against those of the baseline: which are worse, by how much, and what to do. Pure. */
import { TIMING_DEPENDENT } from './tally.js';

export const PROCESSES = ['node', 'launcher', 'sandbox'] as const;
export type Process = (typeof PROCESSES)[number];

export interface Counts {
  /** By the names in `FIGURES`; of one execution. */
  figures: Record<string, number>;
  /** Of one execution, by the name of the call: they say what a figure that got worse consists of. */
  systemCalls: Record<Process, Record<string, number>>;
}

interface Figure {
  name: string;
  /** Above the baseline by more than both is worse, below it by more than both is better. */
  relative: number;
  absolute: number;
}

/**
 * Tolerances are wider than what twenty repetitions differed by, half of them beside two busy loops. What launcher and sandbox
 * do hardly varies. Node's threads wait less often where the machine is busy: there is more to do each time.
 */
export const FIGURES: Figure[] = [
  { name: 'node: system calls', relative: 0.1, absolute: 1 },
  { name: 'node: epoll waits', relative: 0.4, absolute: 1 },
  { name: 'node: bytes copied', relative: 0.1, absolute: 16 },
  { name: 'node: context switches', relative: 0.6, absolute: 1 },
  { name: 'launcher: system calls', relative: 0.1, absolute: 1 },
  { name: 'launcher: bytes copied', relative: 0.1, absolute: 16 },
  { name: 'launcher: context switches', relative: 0.25, absolute: 1 },
  { name: 'launcher: page faults', relative: 0.15, absolute: 1 },
  { name: 'sandbox: system calls', relative: 0.1, absolute: 5 },
  { name: 'sandbox: bytes copied', relative: 0.1, absolute: 16 },
  { name: 'sandbox: context switches', relative: 0.25, absolute: 2 },
  { name: 'sandbox: page faults', relative: 0.15, absolute: 2 },
];

export interface Comparison {
  name: string;
  /** Undefined: there is none yet. */
  baseline: number | undefined;
  now: number;
  verdict: 'same' | 'worse' | 'better' | 'new';
}

/** @throws if a figure was not measured. */
export function compare(baseline: Counts, now: Counts): Comparison[] {
  return FIGURES.map(({ name, relative, absolute }) => {
    const before = baseline.figures[name];
    const after = now.figures[name];
    if (after === undefined || !Number.isFinite(after)) throw new Error(`"${name}" was not measured`);
    if (before === undefined) return { name, baseline: before, now: after, verdict: 'new' };
    const tolerance = Math.max(before * relative, absolute);
    const verdict = after > before + tolerance ? 'worse' : after < before - tolerance ? 'better' : 'same';
    return { name, baseline: before, now: after, verdict };
  });
}

/** One sentence for each figure that is not as it was; empty if all are. */
export function explain(comparisons: Comparison[], baseline: Counts, now: Counts): string[] {
  return comparisons.flatMap((comparison) => {
    const { name, baseline: before, now: after, verdict } = comparison;
    if (verdict === 'same') return [];
    const change = `${name}: ${after} per execution`;
    if (verdict === 'new') return [`${change}, and the baseline has no such figure`];
    const detail = name.endsWith(': system calls') ? callsThatChanged(name, baseline, now) : '';
    return [`${change}, ${verdict} than the ${before} of the baseline${detail}`];
  });
}

function callsThatChanged(figure: string, baseline: Counts, now: Counts): string {
  const process = PROCESSES.find((each) => figure.startsWith(`${each}:`));
  if (process === undefined) return '';
  const before = baseline.systemCalls[process];
  const after = now.systemCalls[process];
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, by: Math.round(((after[name] ?? 0) - (before[name] ?? 0)) * 10) / 10 }))
    .filter(({ name, by }) => Math.abs(by) >= 0.5 && !TIMING_DEPENDENT.test(name))
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
  if (changes.length === 0) return '';
  return `: ${changes.map(({ name, by }) => `${name} ${by > 0 ? '+' : '−'}${Math.abs(by)}`).join(', ')}`;
}
