/** Attacks on the sandbox of a command, from inside. */
import { COMMAND_ATTACKS } from './all-attacks.js';
import { tryAttacks } from './commands/backends.js';

tryAttacks('attacks on the sandbox of a command', COMMAND_ATTACKS);
