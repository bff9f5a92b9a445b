/**
 * What `backend: 'auto'` has come to in this process, so that its pools agree and do not all try what was refused. A pool that
 * was opened is the proof; there is no other probe. Must not know what a backend is.
 */

import type { RefusedBackend } from './messages.js';
import type { PoolSettings } from './pool-options.js';

export interface BackendChoice {
  backend: PoolSettings['backend'];
  /** Backends that come before it, and why each was refused. */
  refused: RefusedBackend[];
}

/**
 * How long a backend that was refused is not tried again, milliseconds. A pool keeps what it was opened with; this is for
 * pools that are opened later.
 */
const REFUSAL_HOLDS_MS = 60_000;

const UNDECIDED: BackendChoice = { backend: 'auto', refused: [] };

interface Decision {
  choice: BackendChoice;
  decidedAt: number;
}

/** By isolation, since that decides what is needed. */
const decisions = new Map<PoolSettings['isolation'], Decision>();
const deciding = new Map<PoolSettings['isolation'], Promise<unknown>>();

/**
 * Opens something on the backend that is asked for; with `auto`, on the one that was decided. Who comes while the first is
 * still finding out waits for its decision. If that was none, each tries for itself: nothing is kept of a failure.
 */
export async function openOnBackend<T extends { readonly choice: BackendChoice }>(
  { backend, isolation }: Pick<PoolSettings, 'backend' | 'isolation'>,
  open: (choice: BackendChoice) => Promise<T>,
): Promise<T> {
  if (backend !== 'auto') return open({ backend, refused: [] });
  const other = deciding.get(isolation);
  // No wait where there is none: who comes in the same turn must find this one.
  if (other !== undefined) await other.catch(() => {});
  const known = recall(isolation);
  const opening = open(known);
  if (known === UNDECIDED) deciding.set(isolation, opening);
  try {
    const opened = await opening;
    if (known === UNDECIDED)
      decisions.set(isolation, { choice: opened.choice, decidedAt: performance.now() });
    return opened;
  } catch (error) {
    decisions.delete(isolation); // the next one finds out anew
    throw error;
  } finally {
    if (deciding.get(isolation) === opening) deciding.delete(isolation);
  }
}

function recall(isolation: PoolSettings['isolation']): BackendChoice {
  const decision = decisions.get(isolation);
  if (decision === undefined) return UNDECIDED;
  const { choice, decidedAt } = decision;
  // What nothing was refused for is the first: there is no better to be found.
  const holds = choice.refused.length === 0 || performance.now() - decidedAt < REFUSAL_HOLDS_MS;
  return holds ? choice : UNDECIDED;
}
