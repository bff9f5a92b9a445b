/** Cases as tests of mocha: an `it` for each, while they run several at a time. */
import { availableParallelism } from 'node:os';
import type { Case, Outcome } from './cases.js';
import { schedule } from './schedule.js';

/** To be called from within a `describe`. Cases that do not apply have to be left out before. */
export function registerCases(cases: readonly Case[]): void {
  let outcomes: Promise<Outcome>[] = [];
  before(() => {
    outcomes = schedule(cases, { concurrency: availableParallelism() * 2 });
  });
  for (const section of new Set(cases.map((each) => each.section))) {
    describe(section, () => {
      for (const [index, each] of cases.entries()) {
        if (each.section !== section) continue;
        it(each.name, async () => {
          const outcome = await outcomes[index];
          if (outcome?.status !== 'passed') throw new Error(outcome?.message ?? 'the case did not run');
        });
      }
    });
  }
  // A run that breaks off must not leave cases behind that still start processes.
  after(() => Promise.all(outcomes));
}
