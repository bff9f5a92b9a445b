/**
 * The minimal runtime: what nearly every program needs to start. The same on every Linux: programs and libraries of the host,
 * read-only, what the dynamic linker and the C library read, six devices, a procfs, and a user database with nobody in it.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import { SYSTEM_DIRECTORIES } from '../minimal-runtime.js';
import { isWithin, type Operation } from './operations.js';
import { TEMP } from './root.js';

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];

const DEVICE_LINKS = {
  fd: '/proc/self/fd',
  stdin: '/proc/self/fd/0',
  stdout: '/proc/self/fd/1',
  stderr: '/proc/self/fd/2',
};

/** The only user: who it is outside is nobody's business here. */
const FILES = {
  '/etc/passwd': `sandbox:x:65534:65534:sandbox:${TEMP}:/bin/sh\n`,
  '/etc/group': 'sandbox:x:65534:\n',
  '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/** What is in place of no rule: links, devices, files. `granted`: paths of the host that are visible where they are. */
export function runtimeOperations(
  granted: readonly string[],
  options: { hasTemp: boolean; hasNetwork: boolean },
): Operation[] {
  const operations: Operation[] = [];
  const isFree = (path: string) => !granted.some((each) => isWithin(path, each));
  for (const path of SYSTEM_DIRECTORIES) {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status?.isSymbolicLink() && isFree(path))
      operations.push({ kind: 'link', target: path, to: readlinkSync(path) });
  }
  if (isFree('/dev')) {
    for (const name of DEVICES)
      operations.push({
        kind: 'grant',
        target: `/dev/${name}`,
        source: `/dev/${name}`,
        writable: true,
        devices: true,
      });
    for (const [name, to] of Object.entries(DEVICE_LINKS))
      operations.push({ kind: 'link', target: `/dev/${name}`, to });
    // Shared memory is files in a directory that everybody may write: the private temp is one.
    if (options.hasTemp) operations.push({ kind: 'link', target: '/dev/shm', to: TEMP });
  }
  if (isFree('/proc')) operations.push({ kind: 'proc', target: '/proc' });
  for (const [target, content] of Object.entries(FILES))
    if (isFree(target) && !(options.hasNetwork && target === '/etc/hosts'))
      operations.push({ kind: 'file', target, mode: 0o444, content });
  return operations;
}
