/** Descriptors that a command is to have of ours, looked at before it has them. Must not know how they get there. */
import { fstatSync } from 'node:fs';
import { InvalidOptionError } from '../errors.js';
import type { CheckedOptions } from './options.js';

const STANDARD = [0, 1, 2];

/**
 * Throws `InvalidOptionError` for one that is not open, and for a directory: whoever has one open reaches what is above it, up to
 * the root of the host, and no policy would hold.
 */
export function checkDescriptors({ io, preserveFds }: Pick<CheckedOptions, 'io' | 'preserveFds'>): void {
  for (const descriptor of [...(io === 'inherit' ? STANDARD : []), ...preserveFds]) {
    if (isDirectory(descriptor))
      throw new InvalidOptionError(
        `descriptor ${descriptor} is a directory, by which the command would reach every path of the host: grant the directory in the policy instead`,
      );
  }
}

function isDirectory(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isDirectory();
  } catch (cause) {
    throw new InvalidOptionError(
      `descriptor ${descriptor} cannot be given to the command: ${(cause as Error).message}`,
      { cause },
    );
  }
}
