/** Whether there is a build of the addon for this platform, and what is to be said if not. */
import { loadAddon } from './addon.js';
import type { MissingCapability } from './errors.js';

/** Undefined: it is there. */
export function missingAddon(): MissingCapability | undefined {
  try {
    loadAddon();
    return undefined;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    return {
      capability: 'lifecycle',
      reason: `the native addon could not be loaded on ${process.platform}-${process.arch}: ${reason}`,
      remedy:
        'this package has no binaries for it: build them in a clone of the repository with "npm run build", on Linux with glibc',
    };
  }
}
