/** Policies, and what is done to get around them: from inside, and by other processes of the host. */
import { AGREEMENT } from './commands/agreement.js';
import { tryAttacks } from './commands/backends.js';
import { DENIAL_ATTACKS } from './commands/denials.js';
import { PLACE_ATTACKS } from './commands/places.js';
import { RACE_ATTACKS } from './commands/races.js';

tryAttacks('policies of commands, enforced', [
  ...DENIAL_ATTACKS,
  ...PLACE_ATTACKS,
  ...RACE_ATTACKS,
  ...AGREEMENT,
]);
