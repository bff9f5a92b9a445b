/** The backends that run commands, in the order of `auto`, and what each can do on this machine. */
import type { Availability } from '../backend.js';
import type { BackendCapability } from '../capabilities.js';
import type { BackendName } from '../receipt.js';
import type { CommandBackend } from './backend.js';
import { bubblewrap } from './bubblewrap.js';
import { namespacesForCommands } from './namespaces.js';
import { posix } from './posix.js';
import { seatbelt } from './seatbelt.js';

export const BACKENDS_FOR_COMMANDS: readonly CommandBackend[] = [
  namespacesForCommands,
  bubblewrap,
  seatbelt,
  posix,
];

/** `offers`: what it has where it is available. */
export type CommandAvailability = Availability & { offers: ReadonlySet<BackendCapability> };

/** Tries a backend by running a command in it; undefined for one that runs none. Never rejects. */
export async function probeForCommands(name: BackendName): Promise<CommandAvailability | undefined> {
  const backend = BACKENDS_FOR_COMMANDS.find((each) => each.name === name);
  if (backend === undefined) return undefined;
  const missing = [...(await backend.lacks())];
  return { available: missing.length === 0, missing, offers: backend.offers };
}
