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
  for (const descriptor of io === 'inherit' ? STANDARD : []) checkOne(descriptor, 'io');
  for (const descriptor of preserveFds) checkOne(descriptor, 'preserveFds');
  if (preserveFds.length > 0) refuseOurs(preserveFds);
}

function checkOne(descriptor: number, option: 'io' | 'preserveFds'): void {
  if (isDirectory(descriptor, option))
    throw refusal(
      option,
      descriptor,
      'is a directory, by which the command would reach every path of the host: grant the directory in the policy instead',
    );
}

function isDirectory(descriptor: number, option: 'io' | 'preserveFds'): boolean {
  try {
    return fstatSync(descriptor).isDirectory();
  } catch (cause) {
    throw refusal(
      option,
      descriptor,
      `is not open (${(cause as NodeJS.ErrnoException).code}): open it first`,
      { cause },
    );
  }
}

function refusal(
  option: 'io' | 'preserveFds',
  descriptor: number,
  what: string,
  options?: ErrorOptions,
): InvalidOptionError {
  const problem = `hands on descriptor ${descriptor}, which ${what}`;
  return new InvalidOptionError(`option ${option} of spawnIsolated() ${problem}`, {
    option,
    problem,
    ...options,
  });
}

function refuseOurs(numbers: readonly number[]): void {
  const open = openDescriptors();
  for (const number of numbers) {
    const target = open.get(number) ?? '';
    if (INTERNAL.test(target) || isPipeOfOurs(target, open))
      throw refusal(
        'preserveFds',
        number,
        `is ${target}, of Node.js itself: open what the command is to have`,
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
