/** Attacks in the place of a runner that was taken over, after the last confinement step. */
import { CALL_ATTACKS } from './runner/calls.js';
import { ENTRY_ATTACKS } from './runner/entries.js';
import { MEMORY_ATTACKS } from './runner/memory.js';
import { OUTSIDE_ATTACKS } from './runner/outside.js';
import { tryRunnerAttacks } from './runner/places.js';
import { SIGNAL_ATTACKS } from './runner/signals.js';

tryRunnerAttacks('attacks of a runner that was taken over', [
  ...CALL_ATTACKS,
  ...ENTRY_ATTACKS,
  ...SIGNAL_ATTACKS,
  ...MEMORY_ATTACKS,
  ...OUTSIDE_ATTACKS,
]);
