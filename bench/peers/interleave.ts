/** Rounds in which every subject is measured once, so that a ratio holds even where the machine is shared. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample, Subject } from '../subject.js';
import type { Workload } from '../workloads.js';

/** How long one measurement takes, about. */
const MEASUREMENT_SECONDS = 0.5;

/** What a subject does behind its last answer, such as making the next sandboxes, is done in this time. */
const SETTLE_MS = 50;

export interface Case {
  readonly workload: Workload;
  readonly inFlight: number;
}

/** By case, by the subject's name, one for each round. */
export type Samples = Map<Case, Map<string, Sample[]>>;

export interface Plan {
  readonly cases: readonly Case[];
  readonly rounds: number;
  /** As few runs as there can be, without the round that warms up. */
  readonly smoke: boolean;
  /** Told before each round. */
  readonly onRound: (title: string) => void;
}

export async function interleave(subjects: readonly Subject[], plan: Plan): Promise<Samples> {
  const counts = plan.smoke ? undefined : await warmUp(subjects, plan);
  const samples: Samples = new Map();
  for (let round = 0; round < plan.rounds; round++) {
    plan.onRound(`round ${round + 1} of ${plan.rounds}`);
    for (const each of plan.cases) {
      const ofCase = samples.get(each) ?? new Map<string, Sample[]>();
      samples.set(each, ofCase);
      for (const subject of rotated(subjects, round)) {
        const count = counts?.get(each)?.get(subject) ?? each.inFlight;
        const sample = await measureAlone(subject, each, count);
        ofCase.set(subject.name, [...(ofCase.get(subject.name) ?? []), sample]);
      }
    }
  }
  return samples;
}

/** How many runs of each subject take about half a second, learned from a tenth of that and more. */
async function warmUp(subjects: readonly Subject[], { cases, onRound }: Plan) {
  onRound('warming up');
  const counts = new Map<Case, Map<Subject, number>>();
  for (const each of cases) {
    const ofCase = new Map<Subject, number>();
    counts.set(each, ofCase);
    for (const subject of subjects) {
      const first = await measureAlone(subject, each, each.inFlight);
      const tenth = runsIn(MEASUREMENT_SECONDS / 10, first, each);
      const second = await measureAlone(subject, each, tenth);
      ofCase.set(subject, runsIn(MEASUREMENT_SECONDS, second, each));
    }
  }
  return counts;
}

function runsIn(seconds: number, { perSecond }: Sample, { inFlight }: Case): number {
  return Math.max(inFlight, Math.round(perSecond * seconds));
}

/** Every other round starts at another subject, so that none always follows the same one. */
function rotated<T>(items: readonly T[], round: number): T[] {
  const first = (round * 5) % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Nobody pays for another's garbage on the main thread, or for what another finishes late. */
async function measureAlone(subject: Subject, { workload, inFlight }: Case, count: number): Promise<Sample> {
  globalThis.gc?.();
  await sleep(SETTLE_MS);
  try {
    return await subject.measure(workload, inFlight, count);
  } catch (error) {
    const what = `${subject.name} failed at "${workload.name}" with ${inFlight} in flight`;
    throw new Error(`${what}; --only can leave it out`, { cause: error });
  }
}
