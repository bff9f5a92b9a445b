/** Values of command line options: text to what it means, or an error that says what it must be. */
import { InvalidArgumentError } from 'commander';

/** A whole number of milliseconds, at least 1. */
export function wholeMilliseconds(text: string): number {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number of milliseconds, at least 1.');
  }
  return Number(text);
}
