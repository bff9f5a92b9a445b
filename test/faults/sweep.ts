/**
 * One fault after the other, at every place from which a process makes a call: what is done is done once to see the places, and then
 * again with each call failing. All of it takes minutes; by default every few places are tried, and WARDENPOOL_EVERY_FAULT=1 tries all.
 */
import assert from 'node:assert/strict';
import { assertNothingOf, leavingNothing } from './aftermath.js';
import type { CallSite, Fault, FaultyPackage } from './seam.js';

export const TRIES_ALL = process.env['WARDENPOOL_EVERY_FAULT'] === '1';

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

/** The longest that one attempt may take: every wait of the product is shorter, and machines are busy. */
const ATTEMPT_MS = 45_000;

async function inTime<T>(what: string, act: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${ATTEMPT_MS} ms`)), ATTEMPT_MS);
  });
  try {
    return await Promise.race([act(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to the outcomes, by their places. */
export async function sweep<Outcome>(plan: Sweep<Outcome>): Promise<[CallSite, Outcome][]> {
  const { faults } = plan.package;
  faults.clear();
  plan.check(await plan.attempt(), undefined);
  faults.clear();
  plan.check(await leavingNothing(plan.directory, plan.attempt), undefined);
  const sites = faults.callSites().filter((site) => !plan.isLeftOut?.(site));
  const tried = sites.filter((_, index) => TRIES_ALL || index % plan.stride === 0);
  assert.ok(tried.length > 0, 'no call was seen');
  const outcomes: [CallSite, Outcome][] = [];
  for (const site of tried) {
    const what = `${plan.fault} at ${site.call}, place ${site.place.toString(16)}, depth ${site.depth}`;
    faults.order({ ...site, fault: plan.fault });
    try {
      const outcome = await inTime(what, () => leavingNothing(plan.directory, plan.attempt));
      assert.ok(faults.carriedOut > 0, 'the call was not made this time');
      plan.check(outcome, site);
      outcomes.push([site, outcome]);
    } catch (error) {
      throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
    } finally {
      faults.clear();
    }
  }
  plan.check(await plan.attempt(), undefined);
  await assertNothingOf(plan.directory);
  return outcomes;
}
