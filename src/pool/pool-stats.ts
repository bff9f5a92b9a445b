/** What pool.stats tells. Types and counters only. */

export interface ThreadStats {
  threadId: number;
  /** Runs that this thread has now. */
  running: number;
  /** Runs that it was given since it started. */
  started: number;
  /** Sandboxes that it had ready when it last said so. */
  warm: number;
}

/** Every run that was started ends up in exactly one of completed, failed, aborted and rejected. */
export interface PoolStats {
  /** Waiting for a slot. */
  queued: number;
  /** Having a slot, until the sandbox is gone, also when the caller was told before; or waiting for nothing but a turn to start. */
  running: number;
  /** Sandboxes that are ready, in all threads, as they last said. */
  warm: number;
  /** Runs that were handed in, but those with wrong arguments or after the pool was closed: also those that found the queue full. */
  started: number;
  /** Runs with `ok: true`. */
  completed: number;
  /** Runs with `ok: false`. */
  failed: number;
  /** Runs that were aborted by their signal: before they were queued, queued, or running. */
  aborted: number;
  /** Runs that were rejected for another reason than their signal, their arguments, or a pool that was closed before. */
  rejected: number;
  /** Sandboxes that were killed. */
  forcedStops: number;
  /** Worker threads that take runs. */
  threads: number;
  /** Threads that have a launcher, as they last said: while they have none, it is being replaced. */
  launchers: number;
  perThread: ThreadStats[];
}

/** The part of the statistics that only grows. */
export class RunCounters {
  started = 0;
  completed = 0;
  failed = 0;
  aborted = 0;
  rejected = 0;
  forcedStops = 0;
}
