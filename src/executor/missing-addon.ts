/** Whether there is a build of the addon for this platform, and what is to be said if not. */
import { loadAddon } from './addon.js';
import type { MissingCapability } from './errors.js';
import { runtimeGlibc } from './runtime-glibc.js';

/** What decides which build of the addon Node.js could load. */
export interface Runtime {
  /** As `process.platform` and `process.arch`. */
  platform: string;
  architecture: string;
  /** The version of the GNU C library; undefined with another one. */
  glibc: string | undefined;
}

/** Undefined: it is there. */
export function missingAddon(): MissingCapability | undefined {
  const { platform, arch: architecture } = process;
  try {
    if (platform === 'linux') {
      loadAddon();
      return undefined;
    }
    return whyMissing({ platform, architecture, glibc: undefined }, 'it is for Linux');
  } catch (error) {
    const [failure = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return whyMissing({ platform, architecture, glibc: runtimeGlibc() }, failure);
  }
}

/** `failure`: what was said when it was loaded. */
export function whyMissing({ platform, architecture, glibc }: Runtime, failure: string): MissingCapability {
  const machine = `${platform}-${architecture}`;
  if (platform !== 'linux') {
    return {
      capability: 'lifecycle',
      reason: `sandboxes are made by the Linux kernel, and this is ${platform === 'darwin' ? 'macOS' : platform} (${machine})`,
      remedy: 'run it on Linux; a virtual machine or a container will do',
    };
  }
  if (glibc === undefined) {
    return {
      capability: 'lifecycle',
      reason: `the native addon is for glibc, and this Node.js has another C library, such as musl on Alpine Linux (${machine}): ${failure}`,
      remedy: 'use a system or an image with glibc, such as node:22-bookworm-slim',
    };
  }
  return {
    capability: 'lifecycle',
    reason: `the native addon could not be loaded on ${machine} with glibc ${glibc}: ${failure}`,
    remedy:
      'this package has no binaries for it: build them in a clone of the repository with "npm run build", on Linux with glibc',
  };
}
