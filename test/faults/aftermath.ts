/** What a fault must not leave behind. Each test has a directory of its own, so that what others do beside it is not counted. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { descriptorsOf, eventually } from '../support/processes.js';

/** Generous: machines are busy. */
const SETTLE_MS = 20_000;

/** Our children, dead ones that nobody has reaped too: launchers are nobody else's. */
function children(): string[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      return readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean);
    } catch {
      return []; // a thread that has just ended
    }
  });
}

/** For a test that has failed: so that the next is not told of what this one left. */
export async function endChildren(): Promise<void> {
  for (const pid of children()) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // it has just ended
    }
  }
  await eventually(() => children().length === 0, SETTLE_MS);
}

/** Processes, whoever's, that execute something of the directory, or were told of it by an argument. */
function processesOf(directory: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return `${readlinkSync(`/proc/${pid}/exe`)}\n${readFileSync(`/proc/${pid}/cmdline`, 'latin1')}`.includes(
          directory,
        );
      } catch {
        return false;
      }
    });
}

function cgroups(): string[] {
  const own = new RegExp(`^wardenpool-${process.pid}-`);
  const below = (path: string): string[] => {
    try {
      return readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => (own.test(name) ? [join(path, name)] : below(join(path, name))));
    } catch {
      return [];
    }
  };
  return below('/sys/fs/cgroup');
}

interface Remains {
  children: string[];
  descriptors: string[];
  threads: number;
  mounts: number;
  entries: string[];
}

/** `directory`: of `makePlace()`. */
function remains(directory: string): Remains {
  return {
    children: children(),
    // Without this listing's own, and what Node opens for files.
    descriptors: [...(descriptorsOf('self') ?? [])]
      .filter(([, target]) => !target.startsWith('/proc/'))
      .map(([number, target]) => `${number} ${target}`),
    threads: readdirSync('/proc/self/task').length,
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n').length,
    entries: [...readdirSync(directory), ...readdirSync(tmpdir())],
  };
}

/** Does something, and fails if more is there afterwards than before: at once, or soon. Resolves to what `act` does. */
export async function leavingNothing<T>(directory: string, act: () => Promise<T>): Promise<T> {
  const before = remains(directory);
  const result = await act();
  const isSame = () => {
    const now = remains(directory);
    return (
      // A launcher that was lost has been replaced.
      now.children.length <= before.children.length &&
      now.descriptors.length <= before.descriptors.length &&
      now.threads <= before.threads &&
      now.mounts <= before.mounts &&
      now.entries.every((entry) => before.entries.includes(entry))
    );
  };
  if (!(await eventually(isSame, SETTLE_MS))) assert.deepEqual(remains(directory), before);
  return result;
}

/** The same for what is slow to look at, once for many faults. */
export async function assertNothingOf(directory: string): Promise<void> {
  const left = () => [...processesOf(directory), ...cgroups()];
  if (!(await eventually(() => left().length === 0, SETTLE_MS))) assert.deepEqual(left(), []);
}
