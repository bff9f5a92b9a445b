/** Attacks on what stands behind the seccomp filters, from a launcher that does not install them. */
import { UNFILTERED_ATTACKS } from './all-attacks.js';
import { tryRunnerAttacks } from './runner/places.js';

tryRunnerAttacks(
  'attacks on what stands behind the filters',
  UNFILTERED_ATTACKS,
  'probe-launcher-unfiltered',
);
