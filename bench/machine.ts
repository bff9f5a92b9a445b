/** What was measured on, as far as it matters for the figures. */
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import type { Results } from './results.js';

export function machine(): Results['machine'] {
  return {
    kernel: release(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    threads: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.version,
  };
}
