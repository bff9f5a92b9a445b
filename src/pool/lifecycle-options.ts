/** The options of close() and metricsServer(): their checks and defaults. */
import { z } from 'zod';
import { checkOptions } from './option-problems.js';

const closeSchema = z.strictObject({
  timeoutMs: z
    .int('must be an integer from 0 to 2147483647')
    .min(0, 'must be an integer from 0 to 2147483647')
    .max(2_147_483_647, 'must be an integer from 0 to 2147483647')
    .optional(),
});

const serverSchema = z.strictObject({
  port: z.int('must be a port').min(0, 'must be a port').max(65_535, 'must be a port').optional(),
  host: z.string('must be a host name or an address').optional(),
});

/** Throws InvalidOptionError. */
export function readCloseOptions(options: unknown = {}): { timeoutMs: number } {
  const names = { owner: 'close()', known: Object.keys(closeSchema.shape) };
  return { timeoutMs: checkOptions(closeSchema, options, names).timeoutMs ?? 10_000 };
}

/** Throws InvalidOptionError. */
export function readMetricsServerOptions(options: unknown = {}): { port: number; host: string } {
  const names = { owner: 'metricsServer()', known: Object.keys(serverSchema.shape) };
  const { port = 0, host = '127.0.0.1' } = checkOptions(serverSchema, options, names);
  return { port, host };
}
