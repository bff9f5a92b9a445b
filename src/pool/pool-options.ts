/** The options of createPool(): their documentation, their checks, and the settings that follow from them. */
import { Registry, type RegistryContentType } from 'prom-client';
import { z } from 'zod';
import { availableCpus } from './available-cpus.js';
import { availableMemory } from './available-memory.js';
import { InvalidOptionError } from './errors.js';
import { LIMIT_OPTION_NAMES, limitsSchema, poolLimits } from './limit-options.js';
import type { Limits } from './limits.js';
import { checkOptions } from './option-problems.js';

export interface PoolOptions {
  /** Worker threads. Default: the CPUs that this process may use. */
  threads?: number | undefined;
  /** Runs in flight in the whole pool. Default: 256 for each thread. */
  concurrency?: number | undefined;
  /**
   * What running programs may reach together, bytes: the sum of their `limits.memoryBytes`. A run beyond it waits. Each sandbox
   * has some hundred KB besides. Default: half of what this process may use, and at least `limits.memoryBytes`.
   */
  memoryBudgetBytes?: number | undefined;
  /** Sandboxes kept ready, for each thread. Default: from 2 to 32. */
  warm?: { min?: number | undefined; max?: number | undefined } | undefined;
  /** Runs that may wait for a slot; beyond, run() rejects with QueueFullError at once. Default: 10,000. */
  maxQueue?: number | undefined;
  /** Longest wait for a slot, milliseconds. Default: none. */
  queueTimeoutMs?: number | undefined;
  /** Runs in flight with the same `key`, or with none; more of them wait. Default: no bound. */
  maxConcurrencyPerKey?: number | undefined;
  /** Defaults *and* ceilings of every run. */
  limits?: { [name in keyof Limits]?: number | undefined } | undefined;
  /**
   * How sandboxes are made. 'namespaces': in namespaces with nothing in them. 'seccomp': in the host's, held by the system call
   * filter alone, for where user namespaces are refused. 'auto': the first of the two that this machine has, and receipts say
   * which and why. Default: 'auto'.
   */
  backend?: 'auto' | 'namespaces' | 'seccomp' | undefined;
  /** 'strict' gives each run one of every namespace, at a cost; only the backend 'namespaces' can. Default: 'default'. */
  isolation?: 'default' | 'strict' | undefined;
  /**
   * Where the metrics go; pools on one registry share them. On one that speaks OpenMetrics when the first pool comes
   * (`registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)`), two histograms have exemplars: docs/operations.md says which.
   * Default: a registry of the pool's own, in Prometheus' text format.
   */
  registry?: Registry<RegistryContentType> | undefined;
  /**
   * Also prom-client's metrics of the process, `process_…` and `nodejs_…`: CPU time, memory and descriptors of this process, its
   * threads included and its sandboxes not; the event loop and the heap of the main thread. Default: false.
   */
  processMetrics?: boolean | undefined;
  /** Hand messages of errors that are no ToolError to programs: for development. Default: false. */
  exposeToolErrors?: boolean | undefined;
}

export interface PoolSettings {
  threads: number;
  concurrency: number;
  memoryBudgetBytes: number;
  warm: { min: number; max: number };
  maxQueue: number;
  queueTimeoutMs: number | undefined;
  /** Infinity: no bound. */
  maxConcurrencyPerKey: number;
  limits: Limits;
  backend: 'auto' | 'namespaces' | 'seccomp';
  isolation: 'default' | 'strict';
  registry: Registry;
  processMetrics: boolean;
  exposeToolErrors: boolean;
}

/** Backends that there are, or will be, for commands. */
const NOT_FOR_POOLS: Partial<Record<string, string>> = {
  bubblewrap: 'this version of wardenpool offers it for no pool',
  seatbelt: 'this version of wardenpool offers it for no pool',
  posix: 'it confines nothing, and every run of a pool is confined',
};

function count(least: number, most: number) {
  const message = `must be an integer from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message).optional();
}

const schema = z.strictObject({
  threads: count(1, 1024),
  concurrency: count(1, 1_000_000),
  warm: z.strictObject({ min: count(0, 1024), max: count(0, 1024) }, 'must be an object').optional(),
  maxQueue: count(0, Number.MAX_SAFE_INTEGER),
  queueTimeoutMs: count(1, 2_147_483_647),
  memoryBudgetBytes: count(1, Number.MAX_SAFE_INTEGER),
  maxConcurrencyPerKey: count(1, 1_000_000),
  limits: limitsSchema.optional(),
  backend: z
    .enum(['auto', 'namespaces', 'seccomp'], {
      error: ({ input }) => {
        const why = NOT_FOR_POOLS[String(input)];
        return `${why === undefined ? '' : `${why}; `}must be 'auto', 'namespaces' or 'seccomp'`;
      },
    })
    .optional(),
  isolation: z.enum(['default', 'strict'], "must be 'default' or 'strict'").optional(),
  registry: z.custom<Registry>(isRegistry, 'must be a Registry of prom-client').optional(),
  processMetrics: z.boolean('must be true or false').optional(),
  exposeToolErrors: z.boolean('must be true or false').optional(),
});

const NAMES = {
  owner: 'createPool()',
  known: [...Object.keys(schema.shape), 'warm.min', 'warm.max', ...LIMIT_OPTION_NAMES],
  otherWords: { workers: 'threads', maxThreads: 'threads', maxWorkers: 'threads' },
};

/** Throws InvalidOptionError. */
export function readPoolOptions(options: unknown): PoolSettings {
  const given = checkOptions(schema, options, NAMES);
  const threads = given.threads ?? availableCpus();
  const limits = poolLimits(given.limits);
  return {
    threads,
    concurrency: given.concurrency ?? threads * 256,
    warm: warmRange(given.warm),
    maxQueue: given.maxQueue ?? 10_000,
    queueTimeoutMs: given.queueTimeoutMs,
    memoryBudgetBytes: memoryBudget(given.memoryBudgetBytes, limits.memoryBytes),
    maxConcurrencyPerKey: given.maxConcurrencyPerKey ?? Number.POSITIVE_INFINITY,
    limits,
    backend: given.backend ?? 'auto',
    isolation: given.isolation ?? 'default',
    registry: given.registry ?? new Registry(),
    processMetrics: given.processMetrics ?? false,
    exposeToolErrors: given.exposeToolErrors ?? false,
  };
}

function memoryBudget(given: number | undefined, memoryBytes: number): number {
  if (given !== undefined && given < memoryBytes) {
    throw new InvalidOptionError(
      `option memoryBudgetBytes of createPool() is ${given}, less than limits.memoryBytes, which is ${memoryBytes}: ` +
        'no run would ever start; raise the one or lower the other',
    );
  }
  return given ?? Math.max(memoryBytes, Math.floor(availableMemory() / 2));
}

function warmRange(given: PoolOptions['warm']): { min: number; max: number } {
  const max = given?.max ?? Math.max(32, given?.min ?? 0);
  const min = given?.min ?? Math.min(2, max);
  if (min > max) {
    throw new InvalidOptionError(
      `option warm.min of createPool() is ${min}, more than warm.max, which is ${max}`,
    );
  }
  return { min, max };
}

/** By what it can do: an application may have another copy of prom-client than this package. */
function isRegistry(value: unknown): boolean {
  const { registerMetric, getSingleMetric, metrics } = (value ?? {}) as Partial<Registry>;
  return [registerMetric, getSingleMetric, metrics].every((method) => typeof method === 'function');
}
