/** A number on the command line of a campaign. */
import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('it takes a whole number from 1 up');
  return value;
}
