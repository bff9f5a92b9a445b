/**
 * Checks options by a schema, and turns what zod found into one sentence that says which option, what is wrong, and what to
 * write instead. Must not know whose options they are, nor the class of the error.
 */
import { types } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { describeThrown, describeValue, isPlainObject } from '../tools/describe-value.js';

/** The words of these errors, for whoever checks an argument that is no object of options. */
export { describeThrown, describeValue };

export interface OptionNames {
  /** What the options belong to, as in `createPool()`. */
  owner: string;
  /** Every option there is; one of a nested object by its path, as in `warm.min`. */
  known: readonly string[];
  /** Words that other libraries have for an option of these, by their path: what is meant, where no spelling tells. */
  otherWords?: Readonly<Record<string, string>>;
  /** What somebody meant with a function under a name that is like none of these. */
  functions?: string;
}

/** The value of `input` by `schema`. Throws what `makeError` made of the sentence. */
export type OptionCheck = <T>(schema: z.ZodType<T>, input: unknown, names: OptionNames) => T;

/** What is wrong, and with which option. */
export interface OptionProblem {
  /** The option by its path, as in `warm.min`; absent if it is none of them, but all. */
  option?: string;
  /** The message without the name of the option: what its value is, and what it must be. There with `option` of one that exists. */
  problem?: string;
}

/** A check whose errors are those of one layer. */
export function optionCheck(
  makeError: (message: string, problem: OptionProblem, options?: ErrorOptions) => Error,
): OptionCheck {
  return <T>(schema: z.ZodType<T>, input: unknown, names: OptionNames): T => {
    let result: z.ZodSafeParseResult<T> | undefined;
    let slip: Described | undefined;
    try {
      const given = copyOf(schema, input);
      slip = given === undefined ? noOptions(input, names) : slipOf(given, names);
      if (slip === undefined) result = schema.safeParse(given, { reportInput: true });
    } catch (cause) {
      const message = `the options of ${names.owner} cannot be read: ${describeThrown(cause)}`;
      throw makeError(message, {}, { cause });
    }
    if (result?.success) return result.data;
    const { message, ...problem } = slip ?? describeIssue(result?.error.issues[0], names);
    throw makeError(message, problem);
  };
}

type Described = OptionProblem & { message: string };

/**
 * Of a plain object, read once; undefined for anything else: of that, options would be overlooked. Without a prototype, and so are
 * the objects of options in it: zod takes what an application has put on Object.prototype for an option that was given.
 */
function copyOf(schema: z.ZodType, input: unknown): Record<string, unknown> | undefined {
  if (typeof input !== 'object' || input === null || !isPlainObject(input)) return undefined;
  const copy: Record<string, unknown> = Object.assign(Object.create(null), input);
  if (!(schema instanceof z.ZodObject)) return copy;
  for (const [option, inner] of Object.entries(schema.shape)) {
    const nested = inner instanceof z.ZodOptional ? inner.unwrap() : inner;
    if (nested instanceof z.ZodObject && Object.hasOwn(copy, option))
      copy[option] = copyOf(nested, copy[option]) ?? copy[option];
  }
  return copy;
}

function noOptions(input: unknown, { owner }: OptionNames): Described {
  return { message: `the options of ${owner} must be an object, not ${describeValue(input)}` };
}

/** Schemas of objects take these for an object with nothing in it. No option is one. */
function slipOf(given: Record<string, unknown>, { owner }: OptionNames): Described | undefined {
  for (const [option, value] of Object.entries(given)) {
    const advice = types.isPromise(value)
      ? 'await it first'
      : types.isMap(value) || types.isSet(value)
        ? 'write a plain object or array'
        : undefined;
    if (advice === undefined) continue;
    const problem = `is ${describeValue(value)}: ${advice}`;
    return { message: `option ${option} of ${owner} ${problem}`, option, problem };
  }
  return undefined;
}

function describeIssue(issue: z.core.$ZodIssue | undefined, names: OptionNames): Described {
  if (issue === undefined) return { message: `the options of ${names.owner} are invalid` };
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const option = path === '' ? key : `${path}.${key}`;
    const isFunction = typeof (issue.input as Record<string, unknown> | undefined)?.[key] === 'function';
    return { message: unknownOption(path, key, option, names, isFunction), option };
  }
  if (path === '') return noOptions(issue.input, names);
  const problem = `is ${describeValue(issue.input)}: ${issue.message}`;
  return { message: `option ${path} of ${names.owner} ${problem}`, option: path, problem };
}

function unknownOption(
  parent: string,
  key: string,
  option: string,
  names: OptionNames,
  isFunction: boolean,
): string {
  if (names.otherWords !== undefined && Object.hasOwn(names.otherWords, option))
    return `${names.owner} has no option ${JSON.stringify(option)}: did you mean ${names.otherWords[option]}?`;
  const siblings = names.known
    .filter((known) => (parent === '' ? !known.includes('.') : known.startsWith(`${parent}.`)))
    .map((known) => known.slice(parent === '' ? 0 : parent.length + 1));
  // At the top level the slip may be that of the place: a limit beside `limits` instead of in it.
  const nested = parent === '' ? names.known.filter((known) => known.includes('.')) : [];
  const nearest = nearestOf(key, [...siblings, ...nested]);
  const others = (isFunction && names.functions) || `there are ${siblings.join(', ')}`;
  const meant = parent === '' ? nearest : `${parent}.${nearest}`;
  const hint = nearest === undefined ? others : `did you mean ${meant}?`;
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
