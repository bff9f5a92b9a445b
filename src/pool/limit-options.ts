/** The `limits` option, of pools and of runs: its schema, and how a run's limits follow from the pool's. */
import { z } from 'zod';
import { InvalidOptionError } from './errors.js';
import { DEFAULT_LIMITS, LIMIT_NAMES, LIMIT_RANGES, type LimitName, type Limits } from './limits.js';

/** Limits as people give them: any of them, `undefined` standing for absent. */
export type SomeLimits = { [name in LimitName]?: number | undefined };

function limit(name: LimitName) {
  const [least, most] = LIMIT_RANGES[name];
  const message = `must be an integer from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message).optional();
}

export const limitsSchema = z.strictObject({
  timeoutMs: limit('timeoutMs'),
  cpuMs: limit('cpuMs'),
  maxToolCalls: limit('maxToolCalls'),
  maxConcurrentToolCalls: limit('maxConcurrentToolCalls'),
  maxResultBytes: limit('maxResultBytes'),
  memoryBytes: limit('memoryBytes'),
  stackBytes: limit('stackBytes'),
  maxLogBytes: limit('maxLogBytes'),
  maxFrameBytes: limit('maxFrameBytes'),
  maxCodeBytes: limit('maxCodeBytes'),
});

export const LIMIT_OPTION_NAMES = LIMIT_NAMES.map((name) => `limits.${name}`);

/** The limits of a pool: defaults of its runs, and their ceilings. */
export function poolLimits(given: SomeLimits | undefined): Limits {
  const limits: Limits = { ...DEFAULT_LIMITS };
  for (const name of LIMIT_NAMES) limits[name] = given?.[name] ?? limits[name];
  return limits;
}

/** The limits of one run. Throws InvalidOptionError where it asks for more than its pool allows. */
export function runLimits(given: SomeLimits | undefined, pool: Limits): Limits {
  if (given === undefined) return pool;
  const limits: Limits = { ...pool };
  for (const name of LIMIT_NAMES) {
    const value = given[name];
    if (value === undefined) continue;
    if (value > pool[name]) {
      throw new InvalidOptionError(
        `option limits.${name} of run() is ${value}, over the pool's ceiling of ${pool[name]}: ` +
          'ask for less, or raise the limits of createPool()',
      );
    }
    limits[name] = value;
  }
  return limits;
}
