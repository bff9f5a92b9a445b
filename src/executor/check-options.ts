/** How the executor checks its options: what is wrong with one is an InvalidOptionError. */
import { optionCheck } from '../options/option-check.js';
import { InvalidOptionError } from './errors.js';

/** The value of the options by their schema. Throws InvalidOptionError. */
export const checkOptions = optionCheck(
  (message, problem, options) => new InvalidOptionError(message, { ...problem, ...options }),
);
