/** Runs cases, several at a time, each in bounded time. */
import type { Case, Outcome } from './cases.js';

export interface ScheduleOptions {
  /** Features that the runner grants; undefined: all cases apply. */
  granted?: ReadonlySet<string>;
  /** Cases at a time. They mostly wait. */
  concurrency: number;
  /** Longest time for one case, milliseconds: far more than any takes on a busy machine. */
  caseTimeoutMs?: number;
}

const CASE_TIMEOUT_MS = 50_000;

async function bounded(check: Case['check'], timeoutMs: number): Promise<void> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`the case was not over within ${timeoutMs} ms`));
      controller.abort();
    }, timeoutMs);
  });
  try {
    await Promise.race([check(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}

async function outcomeOf({ section, name, needs, check }: Case, options: ScheduleOptions): Promise<Outcome> {
  const missing = needs.filter((feature) => options.granted?.has(feature) === false);
  if (missing.length > 0) {
    return { section, name, status: 'not granted', ms: 0, message: missing.join(' ') };
  }
  const start = performance.now();
  const ended = (): number => Math.round(performance.now() - start);
  try {
    await bounded(check, options.caseTimeoutMs ?? CASE_TIMEOUT_MS);
    return { section, name, status: 'passed', ms: ended() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { section, name, status: 'failed', ms: ended(), message };
  }
}

/** Starts the cases in their order; one promise each, in the same order. None of them rejects. */
export function schedule(cases: readonly Case[], options: ScheduleOptions): Promise<Outcome>[] {
  const resolvers: ((outcome: Outcome) => void)[] = [];
  const outcomes = cases.map(
    () =>
      new Promise<Outcome>((resolve) => {
        resolvers.push(resolve);
      }),
  );
  const queue = cases.entries();
  const lane = async (): Promise<void> => {
    for (const [index, each] of queue) resolvers[index]?.(await outcomeOf(each, options));
  };
  for (let i = 0; i < options.concurrency; i++) void lane();
  return outcomes;
}
