/** Rate and latencies of a subject, and the statistics of repeated measurements. */
import type { Subject } from './subject.js';

export interface Sample {
  /** Executions per second. */
  rate: number;
  /** Of one execution, from request to answer, ms. */
  p50: number;
  p99: number;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Runs the subject `count` times, `inFlight` at once. */
export async function measure(subject: Subject, inFlight: number, count: number): Promise<Sample> {
  const latencies: number[] = [];
  let left = count;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) {
        const from = performance.now();
        await subject.run();
        latencies.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  return { rate: count / seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function spread(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}
