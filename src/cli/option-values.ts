/** Values of command line options: text to what it means, or an error that says what it must be. */
import { InvalidArgumentError } from 'commander';
import { LIMIT_RANGES } from '../pool/limits.js';

const MOST_RUNS = 1_000_000;

/** A number of runs at once, in the range of the option `concurrency` of a pool. */
export function wholeCount(text: string): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= MOST_RUNS) return value;
  throw new InvalidArgumentError(`It must be a whole number, from 1 to ${MOST_RUNS}.`);
}

/** A whole number of milliseconds, in the range of the limit `timeoutMs`. */
export function wholeMilliseconds(text: string): number {
  const [least, most] = LIMIT_RANGES.timeoutMs;
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It must be a whole number of milliseconds, from ${least} to ${most}.`);
}
