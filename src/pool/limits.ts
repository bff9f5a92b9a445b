/** The limits of a run: names, units, defaults, and the range in which each makes sense. */

export interface Limits {
  /** Wall time, tools included; counts from the moment the program is handed over, never in the queue. ms, 60,000. */
  timeoutMs: number;
  /** The program's own CPU time. ms, 5,000. */
  cpuMs: number;
  /** Tool calls of the whole run. 64. */
  maxToolCalls: number;
  /** Tool calls outstanding at once; more wait inside the program, in order. 16. */
  maxConcurrentToolCalls: number;
  /** JSON text of the result. Bytes, 524,288. */
  maxResultBytes: number;
  /** Heap of the engine. Bytes, 67,108,864. */
  memoryBytes: number;
  /** Stack of the engine: a ceiling, of which it gets at most 900 KiB. Bytes, 1,048,576. */
  stackBytes: number;
  /** Text of all console calls together. Bytes, 65,536. */
  maxLogBytes: number;
  /** One message between program and host: arguments or result of one tool call. Bytes, 1,048,576. */
  maxFrameBytes: number;
  /** The program's text. Bytes, 262,144. */
  maxCodeBytes: number;
}

export type LimitName = keyof Limits;

export const DEFAULT_LIMITS: Readonly<Limits> = {
  timeoutMs: 60_000,
  cpuMs: 5_000,
  maxToolCalls: 64,
  maxConcurrentToolCalls: 16,
  maxResultBytes: 524_288,
  memoryBytes: 67_108_864,
  stackBytes: 1_048_576,
  maxLogBytes: 65_536,
  maxFrameBytes: 1_048_576,
  maxCodeBytes: 262_144,
};

/** Timers hold 31 bits of milliseconds, and the backstop adds some to the wall limit. */
const MOST_MS = 2_147_000_000;

/** Least and most of each limit. Below the least, not even an error message would fit, or the engine not start. */
export const LIMIT_RANGES: Readonly<Record<LimitName, readonly [least: number, most: number]>> = {
  timeoutMs: [1, MOST_MS],
  cpuMs: [1, MOST_MS],
  maxToolCalls: [0, 1_000_000],
  maxConcurrentToolCalls: [1, 1_000],
  maxResultBytes: [1, 268_435_456],
  // The engine's linear memory has 32-bit addresses, and holds more than the heap.
  memoryBytes: [1_048_576, 2_147_483_648],
  stackBytes: [16_384, 67_108_864],
  maxLogBytes: [0, 268_435_456],
  maxFrameBytes: [16_384, 268_435_456],
  maxCodeBytes: [1, 268_435_456],
};

export const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as readonly LimitName[];
