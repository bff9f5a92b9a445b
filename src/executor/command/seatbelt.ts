/**
 * The seatbelt backend: a name in the order of backends, and the reason why it is never available. What it would run is made by
 * seatbelt-profile.ts.
 */
import { SpawnFailed } from '../errors.js';
import type { CommandBackend } from './backend.js';

const REASON = 'it is for macOS 15 or later; its profiles are generated and tested as text here, never run';

export const seatbelt: CommandBackend = {
  name: 'seatbelt',
  isAutomatic: process.platform === 'darwin',
  offers: new Set([
    'lifecycle',
    'commands',
    'network-none',
    'network-direct',
    'fs-read',
    'fs-write',
    'fs-deny',
    'fs-deny-write',
    'fs-protect-create',
  ]),
  cannotLimit: new Set(['tempBytes', 'tempInodes']),
  ownProcesses: 1,
  lacks: async () => [
    {
      capability: 'lifecycle',
      reason: REASON,
      remedy: 'on Linux, use namespaces or bubblewrap',
      backend: 'seatbelt',
    },
  ],
  prepare() {
    throw new SpawnFailed(`the seatbelt backend runs nothing: ${REASON}`, 0, 95);
  },
};
