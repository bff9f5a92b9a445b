/** Policies, and what is done to get around them: from inside, and by other processes of the host. */
import { POLICY_ATTACKS } from './all-attacks.js';
import { tryAttacks } from './commands/backends.js';

tryAttacks('policies of commands, enforced', POLICY_ATTACKS);
