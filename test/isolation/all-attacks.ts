/** Every attack there is, by what is attacked: what the tests try, and what docs/attacks.md lists. */
import { AGREEMENT } from './commands/agreement.js';
import type { Attack } from './commands/attack.js';
import { CALL_ATTACKS as COMMAND_CALL_ATTACKS } from './commands/calls.js';
import { DENIAL_ATTACKS } from './commands/denials.js';
import { FILE_ATTACKS } from './commands/files.js';
import { NETWORK_ATTACKS } from './commands/network.js';
import { PLACE_ATTACKS } from './commands/places.js';
import { PROCESS_ATTACKS } from './commands/processes.js';
import { RACE_ATTACKS } from './commands/races.js';
import { STATE_ATTACKS } from './commands/state.js';
import type { ProgramAttack } from './programs/attack.js';
import { BRIDGE_ATTACKS } from './programs/bridge.js';
import { FORGERY_ATTACKS } from './programs/forgeries.js';
import { LIMIT_ATTACKS } from './programs/limits.js';
import { NEIGHBOUR_ATTACKS } from './programs/neighbours.js';
import { REACH_ATTACKS } from './programs/reach.js';
import type { RunnerAttack } from './runner/attack.js';
import { CALL_ATTACKS } from './runner/calls.js';
import { ENTRY_ATTACKS } from './runner/entries.js';
import { MEMORY_ATTACKS } from './runner/memory.js';
import { OUTSIDE_ATTACKS } from './runner/outside.js';
import { SECOND_WALL_ATTACKS } from './runner/second-walls.js';
import { SIGNAL_ATTACKS } from './runner/signals.js';

/** By a program, on its engine, its bridge, its host and its neighbours. */
export const PROGRAM_ATTACKS: readonly ProgramAttack[] = [
  ...REACH_ATTACKS,
  ...FORGERY_ATTACKS,
  ...LIMIT_ATTACKS,
  ...BRIDGE_ATTACKS,
  ...NEIGHBOUR_ATTACKS,
];

/** In the place of a runner that was taken over. */
export const RUNNER_ATTACKS: readonly RunnerAttack[] = [
  ...CALL_ATTACKS,
  ...ENTRY_ATTACKS,
  ...SIGNAL_ATTACKS,
  ...MEMORY_ATTACKS,
  ...OUTSIDE_ATTACKS,
];

/** On what stands behind the seccomp filters, from a launcher that installs none. */
export const UNFILTERED_ATTACKS: readonly RunnerAttack[] = SECOND_WALL_ATTACKS;

/** By a command, on its sandbox. */
export const COMMAND_ATTACKS: readonly Attack[] = [
  ...COMMAND_CALL_ATTACKS,
  ...PROCESS_ATTACKS,
  ...STATE_ATTACKS,
  ...FILE_ATTACKS,
  ...NETWORK_ATTACKS,
];

/** By a command and by processes of the host, on a policy. */
export const POLICY_ATTACKS: readonly Attack[] = [
  ...DENIAL_ATTACKS,
  ...PLACE_ATTACKS,
  ...RACE_ATTACKS,
  ...AGREEMENT,
];
