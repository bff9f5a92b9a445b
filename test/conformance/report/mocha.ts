/** Cases as tests of mocha: an `it` for each, while the next ones are running already. */
import { availableParallelism } from 'node:os';
import type { Case, Outcome } from './cases.js';
import { schedule } from './schedule.js';

/** Cases that run at a time. They mostly wait. */
const AT_A_TIME = availableParallelism() * 3;

/** To be called from within a `describe`. Cases that do not apply have to be left out before. */
export function registerCases(cases: readonly Case[]): void {
  const outcomes = new Map<Case, Promise<Outcome>[]>();
  // No more than that are started ahead, for a run that is of a few tests only, or breaks off.
  const start = (index: number): void => {
    for (const each of cases.slice(index, index + AT_A_TIME)) {
      if (!outcomes.has(each)) outcomes.set(each, schedule([each], { concurrency: 1 }));
    }
  };
  for (const section of new Set(cases.map((each) => each.section))) {
    describe(section, () => {
      for (const [index, each] of cases.entries()) {
        if (each.section !== section) continue;
        it(each.name, async () => {
          start(index);
          const [outcome] = await Promise.all(outcomes.get(each) ?? []);
          if (outcome?.status !== 'passed') throw new Error(outcome?.message ?? 'the case did not run');
        });
      }
    });
  }
  // What was started ends before the process does.
  after(() => Promise.all([...outcomes.values()].flat()));
}
