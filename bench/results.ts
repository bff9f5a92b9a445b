/** What a run of the benchmark leaves behind: the JSON, from which the table and the charts are made. */
import type { Spread } from './measure.js';

export interface Results {
  /** ISO 8601. */
  at: string;
  /** How to get these figures again. */
  command: string;
  rounds: number;
  /** One short round: says that it runs, and nothing about speed. */
  smoke: boolean;
  machine: { kernel: string; cpu: string; threads: number; memoryBytes: number; node: string };
  throughput: ThroughputRow[];
  measures: MeasureRow[];
  goals: Goal[];
}

/** One subject at one workload, with so many executions in flight. */
export interface ThroughputRow {
  workload: string;
  inFlight: number;
  subject: string;
  perSecond: Spread;
  p50Ms: Spread;
  p99Ms: Spread;
  cpuMs: Spread;
  /** This subject's figure divided by the floor's in the same round; absent for the floor itself. */
  toFloor?: { perSecond: Spread; p50Ms: Spread; cpuMs: Spread };
}

/** Any other figure. */
export interface MeasureRow {
  /** What belongs together: 'spawn', 'memory of a sandbox', 'guest compute'. */
  group: string;
  /** What was measured: 'warm', 'fib(30)'. */
  name: string;
  subject: string;
  unit: 'ms' | 'KB' | 'count' | 'ratio';
  value: Spread;
  toFloor?: Spread;
}

export interface Goal {
  name: string;
  /** In words: '≥ 0.75 × the floor'. */
  goal: string;
  reached: Spread;
  unit: 'ms' | 'KB' | 'count' | 'ratio';
  met: boolean;
}
