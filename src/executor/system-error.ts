/** Names of signals and errno values. */
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));
// Backwards, so that of two names for one number the first stays: EAGAIN, and not EWOULDBLOCK.
const errorNames = new Map(
  Object.entries(constants.errno)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** `SIGKILL` for 9; `SIG40` for a number without a name. */
export function signalName(number: number): string {
  return signalNames.get(number) ?? `SIG${number}`;
}

/** `EPERM` for 1; the empty string for 0. */
export function errorName(errno: number): string {
  if (errno === 0) return '';
  return errorNames.get(errno) ?? getSystemErrorName(-errno);
}
