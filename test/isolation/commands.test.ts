/** Attacks on the sandbox of a command, from inside. */
import { tryAttacks } from './commands/backends.js';
import { CALL_ATTACKS } from './commands/calls.js';
import { FILE_ATTACKS } from './commands/files.js';
import { NETWORK_ATTACKS } from './commands/network.js';
import { PROCESS_ATTACKS } from './commands/processes.js';
import { STATE_ATTACKS } from './commands/state.js';

tryAttacks('attacks on the sandbox of a command', [
  ...CALL_ATTACKS,
  ...PROCESS_ATTACKS,
  ...STATE_ATTACKS,
  ...FILE_ATTACKS,
  ...NETWORK_ATTACKS,
]);
