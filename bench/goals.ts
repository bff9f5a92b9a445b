/** What this project wants to reach, as ratios wherever a machine's speed would decide, and what a run of the benchmark says. */
import { DEADLINES, MEDIAN_AND_ENDS } from './deadlines.js';
import type { Spread } from './measure.js';
import type { Goal, MeasureRow, ThroughputRow } from './results.js';
import { ONE_CALL } from './workloads.js';

type Figures = { throughput: ThroughputRow[]; measures: MeasureRow[] };

/** Those goals of which this run has the figures. */
export function goals(figures: Figures): Goal[] {
  const { throughput, measures } = figures;
  const oneCall = (subject: string, inFlight: number) =>
    throughput.find(
      (row) => row.workload === ONE_CALL.name && row.subject === subject && row.inFlight === inFlight,
    );
  const measure = (part: string) => measures.find(({ name }) => name.includes(part))?.value;
  const at1 = oneCall('wardenpool', 1);
  const at16 = oneCall('wardenpool', 16);
  const bwrap = oneCall('bwrap + code-runner', 16);
  return [
    atLeast('rate, 1 call, 16 in flight, to the floor', 0.75, 'ratio', at16?.toFloor?.perSecond),
    atLeast('rate, 1 call, 16 in flight, to bwrap + code-runner', 12, 'ratio', ratio(at16, bwrap)),
    atMost('p50, 1 call, 1 in flight, to the floor', 1.5, 'ratio', at1?.toFloor?.p50Ms),
    atMost('p99 to p50, 1 call, 16 in flight', 3, 'ratio', at16 && over(at16.p99Ms, at16.p50Ms)),
    atMost('CPU per execution, 1 call, 16 in flight, to the floor', 1.4, 'ratio', at16?.toFloor?.cpuMs),
    atMost('waiting for a tool, PSS each', 400, 'KB', measure('waiting for a tool, PSS')),
    atMost('waiting for a tool, MemAvailable each', 300, 'KB', measure('waiting for a tool, MemAvailable')),
    atMost('threads more with 1,000 waiting', 0, 'count', measure('threads more')),
    atMost('slowdown of others by 1,000 waiting', 0.2, 'ratio', measure('slowdown of others')),
    atLeast('rate with 10,000 queued to 100 queued', 0.95, 'ratio', measure('queued to rate')),
    atMost("main thread's event loop, p99 delay", 5, 'ms', measure('event loop, p99')),
    ...deadlineGoals(measures),
    ...computeGoals(measures),
  ].filter((goal) => goal !== undefined);
}

/** Over all programs; the goal is one for the worst of all runs. */
function deadlineGoals(measures: MeasureRow[]) {
  return measures
    .filter(({ group, subject }) => group === DEADLINES && subject.endsWith(MEDIAN_AND_ENDS))
    .map(({ subject, value }) => {
      const name = `${DEADLINES}, ${subject.replace(MEDIAN_AND_ENDS, ', longest')}`;
      return atMost(name, 25, 'ms', { median: value.max, min: value.max, max: value.max });
    });
}

function computeGoals(measures: MeasureRow[]) {
  const kernels = measures.filter(({ group }) => group === 'guest compute');
  return [
    atMost('guest compute, to native QuickJS', 1.5, 'ratio', slowest(kernels, 'native QuickJS')),
    atMost(
      'guest compute, to the same module under V8',
      1,
      'ratio',
      slowest(kernels, 'same module under V8'),
    ),
  ];
}

/** Over all kernels: the median is the median kernel, the ends are the best and the worst. */
function slowest(kernels: MeasureRow[], subject: string): Spread | undefined {
  const ratios = kernels
    .filter((row) => row.subject === 'wardenpool')
    .flatMap((ours) => {
      const theirs = kernels.find((row) => row.subject === subject && row.name === ours.name);
      return theirs === undefined ? [] : [ours.value.median / theirs.value.median];
    })
    .sort((a, b) => a - b);
  const [min] = ratios;
  if (min === undefined) return undefined;
  return { median: ratios[Math.floor(ratios.length / 2)] ?? min, min, max: ratios.at(-1) ?? min };
}

function ratio(ours: ThroughputRow | undefined, theirs: ThroughputRow | undefined): Spread | undefined {
  return ours && theirs && over(ours.perSecond, theirs.perSecond);
}

/** Of two figures that were not paired round by round: the ends are the farthest that the rounds allow. */
function over(a: Spread, b: Spread): Spread {
  return { median: a.median / b.median, min: a.min / b.max, max: a.max / b.min };
}

function atLeast(name: string, least: number, unit: Goal['unit'], reached: Spread | undefined) {
  return reached && { name, goal: `≥ ${least}`, reached, unit, met: reached.median >= least };
}

function atMost(name: string, most: number, unit: Goal['unit'], reached: Spread | undefined) {
  return reached && { name, goal: `≤ ${most}`, reached, unit, met: reached.median <= most };
}
