/** The backends that run commands, in the order of `auto`. */
import type { CommandBackend } from './backend.js';
import { namespacesForCommands } from './namespaces.js';

export const BACKENDS_FOR_COMMANDS: readonly CommandBackend[] = [namespacesForCommands];
