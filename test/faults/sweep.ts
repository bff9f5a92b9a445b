/**
 * One fault after the other, at every place from which a process makes a call: what is done is done once to see the places, and then
 * again with each call failing. All of it takes minutes; by default every few places are tried, and WARDENPOOL_EVERY_FAULT=1 tries all.
 */
import assert from 'node:assert/strict';
import { assertNothingOf, endChildren, leavingNothing } from './aftermath.js';
import { Deadline } from './deadline.js';
import type { CallSite, Fault, FaultyPackage } from './seam.js';

export const TRIES_ALL = process.env['WARDENPOOL_EVERY_FAULT'] === '1';

/**
 * Calls of one place that fail one after the other, beside the last: code that several steps share is one place, and in a loop
 * over signals or capabilities the next ones are alike.
 */
const FIRST_OF_ONE_PLACE = 3;

/**
 * A few calls are made only if a process comes to them before it is ended, or is kept waiting: the outer process of bubblewrap waits for
 * its child only if it hears of that one's end before it hears of the host's. How often each of them is tried, and how many of
 * those that were tried may never be made.
 */
const MOST_ATTEMPTS = 20;
const mayBeMissed = (tried: number): number => Math.max(1, tried / 10);

export interface Sweep<Outcome> {
  package: FaultyPackage;
  fault: Fault;
  /** Every so many places; all with WARDENPOOL_EVERY_FAULT. */
  stride: number;
  /** In which nothing may be left. */
  directory: string;
  /** What is done, and what came of it. Must not reject. */
  attempt(): Promise<Outcome>;
  /** Asserts that the outcome is an honest one. `undefined`: nothing failed. */
  check(outcome: Outcome, site: CallSite | undefined): void;
  /** Places that are left out, with the reason in the source. */
  isLeftOut?(site: CallSite): boolean;
}

/** Resolves to the outcomes, by their places. */
export async function sweep<Outcome>(plan: Sweep<Outcome>): Promise<[CallSite, Outcome][]> {
  const deadline = new Deadline();
  try {
    return await sweepWithin(plan, deadline);
  } finally {
    plan.package.faults.clear();
    await deadline.close();
  }
}

async function sweepWithin<Outcome>(
  plan: Sweep<Outcome>,
  deadline: Deadline,
): Promise<[CallSite, Outcome][]> {
  const { faults } = plan.package;
  const attempt = (what: string) => deadline.within(what, () => leavingNothing(plan.directory, plan.attempt));
  const unharmed = 'without a fault';
  faults.clear();
  plan.check(await deadline.within(unharmed, plan.attempt), undefined);
  faults.clear();
  plan.check(await attempt(unharmed), undefined);
  const sites = faults.callSites().filter((site) => !plan.isLeftOut?.(site));
  const tried = sites.filter((_, index) => TRIES_ALL || index % plan.stride === 0);
  assert.ok(tried.length > 0, 'no call was seen');
  const outcomes: [CallSite, Outcome][] = [];
  const notMade: string[] = [];
  for (const site of tried)
    for (const skip of TRIES_ALL ? callsOf(site) : [0]) {
      const what = `${plan.fault} at ${site.call}, place ${site.place.toString(16)}, depth ${site.depth}, call ${skip + 1} of ${site.times}`;
      try {
        let wasMade = false;
        for (let attempts = 0; !wasMade && attempts < MOST_ATTEMPTS; attempts++) {
          faults.order({ ...site, times: 1, skip, fault: plan.fault });
          const outcome = await attempt(what);
          wasMade = faults.carriedOut > 0;
          plan.check(outcome, wasMade ? site : undefined);
          if (wasMade) outcomes.push([site, outcome]);
        }
        if (!wasMade) notMade.push(what);
      } catch (error) {
        // Whatever hangs would be counted as left by the next.
        await endChildren();
        throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
      }
    }
  faults.clear();
  plan.check(await deadline.within(unharmed, plan.attempt), undefined);
  await assertNothingOf(plan.directory);
  assert.ok(
    notMade.length <= mayBeMissed(outcomes.length),
    `these calls were not made again: ${notMade.join('; ')}`,
  );
  return outcomes;
}

/** Which calls of a place are to fail, one at a time: how many are let pass before each. */
function callsOf({ times }: CallSite): number[] {
  const first = Array.from({ length: Math.min(times, FIRST_OF_ONE_PLACE) }, (_, index) => index);
  return times > FIRST_OF_ONE_PLACE ? [...first, times - 1] : first;
}
