/** Turns what zod found into one sentence that says which option, what is wrong, and what to write instead. */
import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { InvalidOptionError } from './errors.js';

export interface OptionNames {
  /** What the options belong to, as in `createPool()`. */
  owner: string;
  known: readonly string[];
  /** Options that a later version is going to have: accepting and ignoring them would be a trap. */
  later: readonly string[];
}

/** The value of `input` by `schema`, or InvalidOptionError. */
export function checkOptions<T>(schema: z.ZodType<T>, input: unknown, names: OptionNames): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new InvalidOptionError(describeIssue(result.error.issues[0], names));
}

function describeIssue(issue: z.core.$ZodIssue | undefined, names: OptionNames): string {
  if (issue === undefined) return `the options of ${names.owner} are invalid`;
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return unknownOption(path, issue.keys[0] ?? '', names);
  if (path === '') return `the options of ${names.owner} must be an object`;
  return `option ${path} of ${names.owner}: ${issue.message}`;
}

function unknownOption(parent: string, key: string, names: OptionNames): string {
  const option = parent === '' ? key : `${parent}.${key}`;
  if (names.later.includes(option)) {
    return `option ${option} of ${names.owner}: this version of wardenpool does not have it; leave it out`;
  }
  const siblings = names.known
    .filter((known) => (parent === '' ? !known.includes('.') : known.startsWith(`${parent}.`)))
    .map((known) => known.slice(parent === '' ? 0 : parent.length + 1));
  const nearest = closest(key, siblings);
  const hint =
    distance(key, nearest) <= Math.max(2, key.length / 3)
      ? `did you mean ${nearest}?`
      : `there are ${siblings.join(', ')}`;
  return `${names.owner} has no option ${JSON.stringify(option)}: ${hint}`;
}
