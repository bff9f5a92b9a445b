/** What is measured: something that runs a workload's program in a fresh sandbox each time. */
import type { Workload } from './workloads.js';

/** What one measurement of a subject gave. */
export interface Sample {
  /** Executions per second. */
  perSecond: number;
  /** From request to answer, one execution, ms: half of all are faster, and 99 of 100. */
  p50Ms: number;
  p99Ms: number;
  /** CPU time of one execution, user and system, of every process that takes part, ms. */
  cpuMs: number;
}

export interface Subject {
  readonly name: string;
  /**
   * Runs the workload `count` times, `inFlight` at once. Every answer is checked, so that nothing wrong is timed.
   *
   * @throws if one answer is wrong.
   */
  measure(workload: Workload, inFlight: number, count: number): Promise<Sample>;
  close(): Promise<void>;
}
