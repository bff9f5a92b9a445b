/** Values of command line options: text to what it means, or an error that says what it must be. */
import { InvalidArgumentError } from 'commander';
import { LIMIT_RANGES } from '../pool/limits.js';

/** One of `words`; `advice` for who wrote another. */
export function oneOf(words: readonly string[], advice = ''): (text: string) => string {
  return (text) => {
    if (words.includes(text)) return text;
    const list = words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
    throw new InvalidArgumentError(`It must be ${list}${advice === '' ? '' : `: ${advice}`}.`);
  };
}

/** stdout has something else on it. */
export function receiptFile(text: string): string {
  if (text !== '-') return text;
  throw new InvalidArgumentError(
    'It must be a file, as stdout is taken: name one, or /dev/stderr, or /dev/fd/N.',
  );
}

/** stdin is the command's. */
export function policyFile(text: string): string {
  if (text !== '-') return text;
  throw new InvalidArgumentError('It must be a file, as stdin is the command’s: name one, or /dev/fd/N.');
}

const MOST_RUNS = 1_000_000;

/** A number of runs at once, in the range of the option `concurrency` of a pool. */
export function wholeCount(text: string): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= MOST_RUNS) return value;
  throw new InvalidArgumentError(`It must be a whole number, from 1 to ${MOST_RUNS}.`);
}

/** A whole number, in the range of whoever takes it. */
export function wholeNumber(text: string): number {
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number.');
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** A number of bytes, as in `512M`. */
export function bytes(text: string): number {
  const [, number = '', unit = ''] = /^([0-9]{1,16})([KMGT]?)$/.exec(text.toUpperCase()) ?? [];
  const value = number === '' ? Number.NaN : Number(number) * (UNITS[unit] ?? Number.NaN);
  if (Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError(
    'It must be a number of bytes, with K, M, G or T for powers of 1024, as in 512M.',
  );
}

/** A whole number of milliseconds, in the range of the limit `timeoutMs`. */
export function wholeMilliseconds(text: string): number {
  const [least, most] = LIMIT_RANGES.timeoutMs;
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It must be a whole number of milliseconds, from ${least} to ${most}.`);
}
