/** The figures of every peer beside ours, and who wins. */
import { type Spread, spread } from '../measure.js';
import type { Sample } from '../subject.js';
import { type Contender, OURS } from './contenders.js';
import type { Samples } from './interleave.js';

/** Of each, more is better, except of the latency. */
export interface Figures {
  perSecond: Spread;
  p50Ms: Spread;
  /** Executions that a second of CPU time is enough for, of all processes and threads that take part. */
  perCpuSecond: Spread;
}

export interface ComparisonRow {
  workload: string;
  inFlight: number;
  subject: string;
  isolates: string;
  figures: Figures;
  p99Ms: Spread;
  /** Ours divided by the peer's in the same round; absent for ours. */
  oursToThis?: Figures;
  /** The figures of which the peer's is better, by the median of those ratios. */
  peerWins: (keyof Figures)[];
}

const MORE_IS_BETTER: Record<keyof Figures, boolean> = { perSecond: true, p50Ms: false, perCpuSecond: true };

const FIGURES: Record<keyof Figures, (sample: Sample) => number> = {
  perSecond: ({ perSecond }) => perSecond,
  p50Ms: ({ p50Ms }) => p50Ms,
  perCpuSecond: ({ cpuMs }) => 1000 / cpuMs,
};

const NAMES = Object.keys(FIGURES) as (keyof Figures)[];

export function compare(samples: Samples, contenders: readonly Contender[]): ComparisonRow[] {
  return [...samples].flatMap(([{ workload, inFlight }, ofCase]) => {
    const ours = ofCase.get(OURS) ?? [];
    return contenders.map(({ name, isolates }) => {
      const theirs = ofCase.get(name) ?? [];
      const row: ComparisonRow = {
        workload: workload.name,
        inFlight,
        subject: name,
        isolates,
        figures: figures((figure) => theirs.map(figure)),
        p99Ms: spread(theirs.map(({ p99Ms }) => p99Ms)),
        peerWins: [],
      };
      if (name === OURS) return row;
      const oursToThis = figures((figure) =>
        theirs.map((sample, round) => (ours[round] ? figure(ours[round]) / figure(sample) : Number.NaN)),
      );
      const peerWins = NAMES.filter((figure) =>
        MORE_IS_BETTER[figure] ? oursToThis[figure].median < 1 : oursToThis[figure].median > 1,
      );
      return { ...row, oursToThis, peerWins };
    });
  });
}

function figures(valuesOf: (figure: (sample: Sample) => number) => number[]): Figures {
  return {
    perSecond: spread(valuesOf(FIGURES.perSecond)),
    p50Ms: spread(valuesOf(FIGURES.p50Ms)),
    perCpuSecond: spread(valuesOf(FIGURES.perCpuSecond)),
  };
}
