/**
 * Descriptors of ours that a command is to have, looked at before it has them. A number that is not open, that Node.js holds for itself,
 * or that is a directory, was a mistake: whoever could write to the pipe by which libuv hears of signals would own this process, and by
 * a directory the whole host can be reached. Must not know how they get there.
 */
import { fstatSync, readdirSync, readlinkSync } from 'node:fs';
import { InvalidOptionError } from '../errors.js';
import type { CheckedOptions } from './options.js';

const STANDARD = [0, 1, 2];
const OUR_DIRECTORY = '/proc/self/fd';
/** Kinds that event loops are made of. */
const INTERNAL = /^anon_inode:\[?(eventpoll|eventfd|io_uring|pidfd|signalfd)/;

/** Throws `InvalidOptionError`. */
export function checkDescriptors({ io, preserveFds }: Pick<CheckedOptions, 'io' | 'preserveFds'>): void {
  for (const descriptor of io === 'inherit' ? STANDARD : []) checkOne(descriptor, `descriptor ${descriptor}`);
  for (const descriptor of preserveFds) checkOne(descriptor, `descriptor ${descriptor} of preserveFds`);
  if (preserveFds.length > 0) refuseOurs(preserveFds);
}

function checkOne(descriptor: number, what: string): void {
  if (isDirectory(descriptor, what))
    throw new InvalidOptionError(
      `${what} is a directory, by which the command would reach every path of the host: grant the directory in the policy instead`,
    );
}

function isDirectory(descriptor: number, what: string): boolean {
  try {
    return fstatSync(descriptor).isDirectory();
  } catch (cause) {
    throw new InvalidOptionError(`${what} is not open: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function refuseOurs(numbers: readonly number[]): void {
  const open = openDescriptors();
  for (const number of numbers) {
    const target = open.get(number) ?? '';
    if (INTERNAL.test(target) || isPipeOfOurs(target, open))
      throw new InvalidOptionError(
        `descriptor ${number} of preserveFds is ${target}, of Node.js itself: open what the command is to have`,
      );
  }
}

function openDescriptors(): ReadonlyMap<number, string> {
  const open = new Map<number, string>();
  for (const name of readdirSync(OUR_DIRECTORY)) {
    try {
      open.set(Number(name), readlinkSync(`${OUR_DIRECTORY}/${name}`));
    } catch {
      // That by which the directory was read.
    }
  }
  return open;
}

/** Both ends of it are here, so that it connects this process with itself. */
function isPipeOfOurs(target: string, open: ReadonlyMap<number, string>): boolean {
  return target.startsWith('pipe:') && [...open.values()].filter((each) => each === target).length > 1;
}
