/** Attacks by programs on their engine, their bridge, their host and their neighbours. */
import { PROGRAM_ATTACKS } from './all-attacks.js';
import { tryProgramAttacks } from './programs/places.js';

tryProgramAttacks('attacks by programs', PROGRAM_ATTACKS);
