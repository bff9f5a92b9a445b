/** Rate, latencies and CPU time of something that runs in this process and its children, and the statistics of rounds. */
import type { Sample } from './subject.js';
import { treeCpuMs } from './tree-cpu.js';

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Calls `run` `count` times, `inFlight` at once. CPU time is that of this process and all that descends from it. */
export async function measure(run: () => Promise<void>, inFlight: number, count: number): Promise<Sample> {
  const latencies: number[] = [];
  let left = count;
  const cpuAt = treeCpuMs(process.pid);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) {
        const from = performance.now();
        await run();
        latencies.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = (treeCpuMs(process.pid) - cpuAt) / count;
  latencies.sort((a, b) => a - b);
  return {
    perSecond: count / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuMs,
  };
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The median of a list, and its ends. */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = [(sorted.length - 1) >> 1, sorted.length >> 1].map((index) => sorted[index] ?? Number.NaN);
  return {
    median: ((middle[0] ?? Number.NaN) + (middle[1] ?? Number.NaN)) / 2,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}
