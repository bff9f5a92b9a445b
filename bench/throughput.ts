/** Rate, latency and CPU time of the subjects at each workload, interleaved, so that ratios hold on a shared machine. */
import { type Spread, spread } from './measure.js';
import { progress } from './progress.js';
import type { ThroughputRow } from './results.js';
import type { Sample, Subject } from './subject.js';
import { ONE_CALL, WORKLOADS, type Workload } from './workloads.js';

export const FLOOR = 'floor';

const IN_FLIGHT = [1, 16, 128];

/** How long one measurement should take, about. */
const MEASUREMENT_MS = 700;
/** Executions that say how many fit into that, and the fewest that are measured. */
const TRIAL_PER_SLOT = 2;
const TRIAL_LEAST = 16;
const SMOKE_COUNT = 16;

/** Each of these is measured in turn, for each subject. */
interface Case {
  workload: Workload;
  inFlight: number;
}

interface Measured extends Case {
  subject: string;
  samples: Sample[];
}

export interface Subjects {
  /** Measured at every workload. */
  all: Subject[];
  /** Measured with one call only. */
  oneCall: Subject[];
}

export async function measureThroughput(
  { all, oneCall }: Subjects,
  rounds: number,
  smoke: boolean,
): Promise<ThroughputRow[]> {
  const cases = WORKLOADS.flatMap((workload) => IN_FLIGHT.map((inFlight) => ({ workload, inFlight })));
  const measured: Measured[] = [];
  for (const { workload, inFlight } of cases) {
    progress(`${workload.name}, ${inFlight} in flight`);
    const subjects = workload === ONE_CALL ? [...all, ...oneCall] : all;
    measured.push(...(await measureCase({ workload, inFlight }, subjects, rounds, smoke)));
  }
  return measured.map((one) => row(one, measured));
}

async function measureCase(
  { workload, inFlight }: Case,
  subjects: Subject[],
  rounds: number,
  smoke: boolean,
): Promise<Measured[]> {
  const counts = new Map<Subject, number>();
  for (const subject of subjects) {
    const trial = smoke ? SMOKE_COUNT : Math.max(TRIAL_LEAST, TRIAL_PER_SLOT * inFlight);
    const { perSecond } = await subject.measure(workload, inFlight, trial); // also warms up
    counts.set(
      subject,
      smoke ? SMOKE_COUNT : Math.max(trial, Math.round((perSecond * MEASUREMENT_MS) / 1000)),
    );
  }
  const measured = subjects.map((subject) => ({
    workload,
    inFlight,
    subject: subject.name,
    samples: [] as Sample[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) {
      const sample = await subject.measure(workload, inFlight, counts.get(subject) ?? 1);
      measured[index]?.samples.push(sample);
    }
  }
  return measured;
}

function row({ workload, inFlight, subject, samples }: Measured, measured: Measured[]): ThroughputRow {
  const floorName = subject.endsWith('strict') ? `${FLOOR}, strict` : FLOOR;
  const floor = measured.find(
    (other) => other.subject === floorName && other.workload === workload && other.inFlight === inFlight,
  );
  const of = (read: (sample: Sample) => number): Spread => spread(samples.map(read));
  const toFloor = (read: (sample: Sample) => number): Spread =>
    spread(samples.map((sample, round) => read(sample) / read(floor?.samples[round] ?? ({} as Sample))));
  return {
    workload: workload.name,
    inFlight,
    subject,
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    cpuMs: of(({ cpuMs }) => cpuMs),
    ...(floor !== undefined && subject !== floorName
      ? {
          toFloor: {
            perSecond: toFloor(({ perSecond }) => perSecond),
            p50Ms: toFloor(({ p50Ms }) => p50Ms),
            cpuMs: toFloor(({ cpuMs }) => cpuMs),
          },
        }
      : {}),
  };
}
