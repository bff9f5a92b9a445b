/** Attacks on what stands behind the seccomp filters, from a launcher that does not install them. */
import { tryRunnerAttacks } from './runner/places.js';
import { SECOND_WALL_ATTACKS } from './runner/second-walls.js';

tryRunnerAttacks(
  'attacks on what stands behind the filters',
  SECOND_WALL_ATTACKS,
  'probe-launcher-unfiltered',
);
