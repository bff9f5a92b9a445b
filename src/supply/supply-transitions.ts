/**
 * A supply as a table: one of something is kept there. A lost one is replaced at once; what cannot be started, or is lost again and
 * again, is waited with. Pure: no timer, nothing is started; `supply.ts` does what is said here.
 */

/** `starting`: one is being started. `serving`: one is there. `waiting`: the next one is started later. */
export type SupplyPhase = 'starting' | 'serving' | 'waiting' | 'closed';

export interface SupplyState {
  readonly phase: SupplyPhase;
  /** How many in a row could not be started, or did not last. */
  readonly failures: number;
}

/**
 * `failed`: it ended before it was ready. `lasted`: the one that is there has been for long enough. `lost`: it ended unasked.
 * `expired`: the wait for the next start.
 */
export type SupplyEvent = 'ready' | 'failed' | 'lasted' | 'lost' | 'expired' | 'close';

/** `refuse`: tells who waits why there is none. `end`: ends the one that is there, or on its way. */
export type SupplyAction = 'start' | 'serve' | 'refuse' | 'wait' | 'end';

export interface SupplyTransition {
  readonly to: SupplyState;
  readonly actions: readonly SupplyAction[];
  /** How long the action `wait` waits, milliseconds. */
  readonly waitMs?: number;
}

/** A supply begins with the start of its first. */
export const FIRST_START: SupplyState = { phase: 'starting', failures: 0 };

const FIRST_WAIT_MS = 50;
/** After failed starts. Who waits meanwhile is told why at once. */
const LONGEST_WAIT_MS = 5_000;
/**
 * After losses of what could be started. Who waits meanwhile goes on waiting, so that the bound is how soon one may be had again:
 * with a start, of some 100 ms, it is half a second. What is lost as soon as it is there is so started twice a second.
 */
const LONGEST_WAIT_AFTER_LOSS_MS = 400;

/** Doubled with each of `times`, from the first on. */
function waitMs(times: number, longest: number): number {
  return Math.min(longest, FIRST_WAIT_MS * 2 ** (times - 1));
}

/** Undefined: nothing changes. */
export function supplyTransition(
  { phase, failures }: SupplyState,
  event: SupplyEvent,
): SupplyTransition | undefined {
  const to = (next: SupplyPhase, count: number, ...actions: SupplyAction[]): SupplyTransition => ({
    to: { phase: next, failures: count },
    actions,
  });
  switch (`${phase} ${event}` as const) {
    case 'starting ready':
      return to('serving', failures, 'serve');
    case 'starting failed':
      return {
        ...to('waiting', failures + 1, 'wait', 'refuse'),
        waitMs: waitMs(failures + 1, LONGEST_WAIT_MS),
      };
    case 'serving lasted':
      return to('serving', 0);
    case 'serving lost':
      // The first loss may be a single misfortune: who comes next should find a new one.
      if (failures === 0) return to('starting', 1, 'start');
      return { ...to('waiting', failures + 1, 'wait'), waitMs: waitMs(failures, LONGEST_WAIT_AFTER_LOSS_MS) };
    case 'waiting expired':
      return to('starting', failures, 'start');
    case 'serving close':
      return to('closed', failures, 'end');
    case 'starting close':
      return to('closed', failures, 'end', 'refuse');
    case 'waiting close':
      return to('closed', failures, 'refuse');
    default:
      return undefined;
  }
}
