/**
 * Checks options by a schema, and turns what zod found into one sentence that says which option, what is wrong, and what to
 * write instead. Must not know whose options they are, nor the class of the error.
 */
import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { describeThrown, describeValue } from '../tools/describe-value.js';

export interface OptionNames {
  /** What the options belong to, as in `createPool()`. */
  owner: string;
  /** Every option there is; one of a nested object by its path, as in `warm.min`. */
  known: readonly string[];
  /** Options that a later version is going to have: accepting and ignoring them would be a trap. */
  later?: readonly string[];
}

/** The value of `input` by `schema`. Throws what `makeError` made of the sentence. */
export type OptionCheck = <T>(schema: z.ZodType<T>, input: unknown, names: OptionNames) => T;

/** A check whose errors are those of one layer. */
export function optionCheck(makeError: (message: string, options?: ErrorOptions) => Error): OptionCheck {
  return <T>(schema: z.ZodType<T>, input: unknown, names: OptionNames): T => {
    let result: z.ZodSafeParseResult<T>;
    try {
      result = schema.safeParse(input, { reportInput: true });
    } catch (cause) {
      throw makeError(`the options of ${names.owner} cannot be read: ${describeThrown(cause)}`, { cause });
    }
    if (result.success) return result.data;
    throw makeError(describeIssue(result.error.issues[0], names));
  };
}

function describeIssue(issue: z.core.$ZodIssue | undefined, names: OptionNames): string {
  if (issue === undefined) return `the options of ${names.owner} are invalid`;
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') return unknownOption(path, issue.keys[0] ?? '', names);
  if (path === '')
    return `the options of ${names.owner} must be an object, not ${describeValue(issue.input)}`;
  return `option ${path} of ${names.owner} is ${describeValue(issue.input)}: ${issue.message}`;
}

function unknownOption(parent: string, key: string, names: OptionNames): string {
  const option = parent === '' ? key : `${parent}.${key}`;
  if (names.later?.includes(option)) {
    return `option ${option} of ${names.owner}: this version of wardenpool does not have it; leave it out`;
  }
  const siblings = names.known
    .filter((known) => (parent === '' ? !known.includes('.') : known.startsWith(`${parent}.`)))
    .map((known) => known.slice(parent === '' ? 0 : parent.length + 1));
  // At the top level the slip may be that of the place: a limit beside `limits` instead of in it.
  const nested = parent === '' ? names.known.filter((known) => known.includes('.')) : [];
  const nearest = nearestOf(key, [...siblings, ...nested]);
  const hint = nearest === undefined ? `there are ${siblings.join(', ')}` : `did you mean ${nearest}?`;
  return `${names.owner} has no option ${JSON.stringify(option)}: ${hint}`;
}

/** The option whose own name, which is the last part of its path, is most like `key`; the first of equals; undefined if none is near. */
function nearestOf(key: string, options: readonly string[]): string | undefined {
  const near = options.filter((option) => isNear(key, ownName(option)));
  if (near.length === 0) return undefined;
  const name = closest(key, near.map(ownName));
  return near.find((option) => ownName(option) === name);
}

function ownName(option: string): string {
  return option.slice(option.lastIndexOf('.') + 1);
}

/** Misspelt, or with a word too many or too few: `hostname` for `host`, `memory` for `memoryBytes`. */
function isNear(key: string, name: string): boolean {
  const shorter = Math.min(key.length, name.length);
  if (shorter >= 4 && (key.startsWith(name) || name.startsWith(key))) return true;
  return distance(key, name) <= Math.min(Math.max(2, key.length / 3), name.length / 2);
}
