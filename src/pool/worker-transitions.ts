/**
 * The life of one worker thread as a table: what follows from each event in each state. Pure: no timer, no thread, and no word of runs;
 * `worker-thread.ts` does what is said here.
 */

/**
 * `loading`: it loads its code. `opening`: it starts its launcher. `ready`: it takes runs. `closing`: it was told to
 * stop all it has. `ending`: it was terminated. `stuck`: it did not end in time; nobody waits for it any more. `gone`: it has ended.
 */
export type WorkerLife = 'loading' | 'opening' | 'ready' | 'closing' | 'ending' | 'stuck' | 'gone';

/**
 * `loaded`: its first word. `refused`: it cannot have sandboxes here. `failed`: it threw what nobody caught, and is about to end.
 * `silent`: it has not answered for too long. `stopped`: it has nothing any more, and has reported all. `expired`: the longest time for
 * a state. `exited`: the thread is no more.
 */
export type WorkerEvent =
  | 'loaded'
  | 'ready'
  | 'refused'
  | 'failed'
  | 'silent'
  | 'close'
  | 'stopped'
  | 'expired'
  | 'exited';

/** `ask`: tells it to stop all it has. `settle`: tells everyone that it has ended. */
export type WorkerAction = 'announce' | 'ask' | 'terminate' | 'settle';

export interface WorkerTransition {
  readonly to: WorkerLife;
  readonly action?: WorkerAction;
}

/** Longest time for a state, milliseconds. `ready` lasts, `stuck` and `gone` are for ever. */
export const WORKER_WAIT_MS: Readonly<Partial<Record<WorkerLife, number>>> = {
  // Some hundred milliseconds; a machine that swaps takes longer.
  loading: 30_000,
  opening: 30_000,
  // The stop ladder takes 3 s at most; then come the last reports.
  closing: 4_000,
  // Only one that is stuck outside of JavaScript takes long.
  ending: 5_000,
};

const TERMINATE: WorkerTransition = { to: 'ending', action: 'terminate' };
const END: WorkerTransition = { to: 'gone', action: 'settle' };

/** What is not in here changes nothing. A thread begins as `loading`. */
export const WORKER_TRANSITIONS: Readonly<
  Record<WorkerLife, Partial<Record<WorkerEvent, WorkerTransition>>>
> = {
  loading: {
    loaded: { to: 'opening' },
    failed: TERMINATE,
    close: TERMINATE,
    expired: TERMINATE,
    exited: END,
  },
  opening: {
    ready: { to: 'ready', action: 'announce' },
    refused: TERMINATE,
    failed: TERMINATE,
    close: TERMINATE,
    expired: TERMINATE,
    exited: END,
  },
  ready: {
    silent: TERMINATE,
    failed: TERMINATE,
    close: { to: 'closing', action: 'ask' },
    exited: END,
  },
  closing: { stopped: TERMINATE, failed: TERMINATE, expired: TERMINATE, exited: END },
  ending: { expired: { to: 'stuck', action: 'settle' }, exited: END },
  stuck: { exited: { to: 'gone' } },
  gone: {},
};
