/** Names of signals and errno values, and what of them is in an error that somebody threw. */
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

/** Message and errno of whatever was thrown; of an error without an errno, that of its cause; 0 if neither has one. */
export function systemErrorOf(thrown: unknown): { message: string; errno: number } {
  if (!(thrown instanceof Error)) return { message: String(thrown), errno: 0 };
  const { errno } = thrown as NodeJS.ErrnoException;
  // Node.js has it negative, the addon as the kernel does.
  if (typeof errno === 'number') return { message: thrown.message, errno: Math.abs(errno) };
  return {
    message: thrown.message,
    errno: thrown.cause instanceof Error ? systemErrorOf(thrown.cause).errno : 0,
  };
}
