/** Attacks in the place of a runner that was taken over, after the last confinement step. */
import { RUNNER_ATTACKS } from './all-attacks.js';
import { tryRunnerAttacks } from './runner/places.js';

tryRunnerAttacks('attacks of a runner that was taken over', RUNNER_ATTACKS);
