/**
 * The life of one launcher process as a table: what follows from each event in each state. Pure: no timer, no process, and no word of
 * who wants it; `launcher.ts` does what is said here.
 */

/**
 * `starting`: it confines itself. `ready`: it makes sandboxes, or runs its command. `closing`: it was told to end. `killed`: it was
 * sent SIGKILL. `unconfirmed`: the kernel did not say in time that it ended; nobody waits for it any more. `over`: it has ended.
 */
export type LauncherState = 'starting' | 'ready' | 'closing' | 'killed' | 'unconfirmed' | 'over';

/** `failed`: it says that it cannot confine itself. `expired`: the wait that a state began with. `exited`: the kernel says so. */
export type LauncherEvent = 'ready' | 'failed' | 'close' | 'kill' | 'expired' | 'exited';

/** `hangUp`: ends the control socket, which ends the launcher. `settle`: tells everyone that it is over. */
export type LauncherAction = 'announce' | 'hangUp' | 'kill' | 'settle';

export interface LauncherTransition {
  readonly to: LauncherState;
  readonly action?: LauncherAction;
  /** True if the new state lasts `END_WAIT_MS` at most. */
  readonly isBounded?: true;
}

/** Longest time for a launcher to get ready; it takes milliseconds, and an overloaded machine takes longer. */
export const START_WAIT_MS = 10_000;
/** Longest time for a launcher to end, once for each way of ending it. */
export const END_WAIT_MS = 1_000;

const KILL: LauncherTransition = { to: 'killed', action: 'kill', isBounded: true };
const CLOSE: LauncherTransition = { to: 'closing', action: 'hangUp', isBounded: true };
const END: LauncherTransition = { to: 'over', action: 'settle' };

/** What is not in here changes nothing. A launcher begins as `starting`, with a wait of `START_WAIT_MS`. */
export const LAUNCHER_TRANSITIONS: Readonly<
  Record<LauncherState, Partial<Record<LauncherEvent, LauncherTransition>>>
> = {
  starting: {
    ready: { to: 'ready', action: 'announce' },
    failed: KILL,
    expired: KILL,
    close: CLOSE,
    kill: KILL,
    exited: END,
  },
  ready: { close: CLOSE, kill: KILL, exited: END },
  closing: { kill: KILL, expired: KILL, exited: END },
  killed: { expired: { to: 'unconfirmed', action: 'settle' }, exited: END },
  unconfirmed: { exited: { to: 'over' } },
  over: {},
};
