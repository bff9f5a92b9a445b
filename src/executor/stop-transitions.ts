/**
 * The stop ladder as a table: what follows from each event on each rung. Pure: no timer, no signal, and no word of what is stopped;
 * `stop-ladder.ts` does what is said here.
 */

/**
 * `running`: nobody wanted its end. `graceful`: it was asked. `forced`: it was killed. `launcher`: the launcher around it was killed.
 * `uncontained`: not even that was confirmed. `over`: it has ended.
 */
export type Rung = 'running' | 'graceful' | 'forced' | 'launcher' | 'uncontained' | 'over';

/** `expired`: the wait that a rung began with. `ended`: the sandbox has ended, for whatever reason, or never was. */
export type StopEvent = 'stop' | 'kill' | 'expired' | 'ended';

/** What is done to the sandbox, or said of it. */
export type StopAction = 'ask' | 'kill' | 'killLauncher' | 'containmentFailed';

export interface StopTransition {
  readonly to: Rung;
  readonly action?: StopAction;
  /** Which of the two times the new rung lasts at most; absent: it is not waited for. */
  readonly wait?: 'gracefulMs' | 'forcedMs';
}

const ASK: StopTransition = { to: 'graceful', action: 'ask', wait: 'gracefulMs' };
const KILL: StopTransition = { to: 'forced', action: 'kill', wait: 'forcedMs' };
const KILL_LAUNCHER: StopTransition = { to: 'launcher', action: 'killLauncher', wait: 'forcedMs' };
const GIVE_UP: StopTransition = { to: 'uncontained', action: 'containmentFailed' };
const END: StopTransition = { to: 'over' };

/** What is not in here changes nothing. */
export const STOP_TRANSITIONS: Readonly<Record<Rung, Partial<Record<StopEvent, StopTransition>>>> = {
  running: { stop: ASK, kill: KILL, ended: END },
  graceful: { kill: KILL, expired: KILL, ended: END },
  forced: { expired: KILL_LAUNCHER, ended: END },
  launcher: { expired: GIVE_UP, ended: END },
  uncontained: { ended: END },
  over: {},
};
