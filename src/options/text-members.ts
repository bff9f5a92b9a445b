/** The schema of an option that is an object of texts by name, as labels and environments are. Must not know whose option it is. */
import { types } from 'node:util';
import { z } from 'zod';

export interface TextMembers {
  /** What the whole of it must be, to follow "must be". */
  form: string;
  /** Why this name cannot be one, and what it must be; undefined if it can. Default: any can. */
  nameProblem?(name: string): string | undefined;
  /** The same of a value. */
  valueProblem?(value: string): string | undefined;
}

/** Optional. The value is a copy: every own key is a name, `__proto__` too. */
export function textMembers(members: TextMembers) {
  return z
    .unknown()
    .transform((given, context) => copyOf(given, members, context))
    .optional();
}

function copyOf(
  given: unknown,
  { form, nameProblem, valueProblem }: TextMembers,
  context: z.RefinementCtx,
): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  // What a collection has is no member of it, and would be overlooked.
  if (typeof given !== 'object' || given === null || Symbol.iterator in given || types.isWeakMap(given)) {
    context.addIssue({ code: 'custom', input: given, message: `must be ${form}` });
    return z.NEVER;
  }
  const entries = Object.entries(given as Record<string, string>);
  for (const [name, input] of entries) {
    const problem =
      nameProblem?.(name) ?? (typeof input === 'string' ? valueProblem?.(input) : 'must be a string');
    if (problem !== undefined) context.addIssue({ code: 'custom', path: [name], input, message: problem });
  }
  return Object.fromEntries(entries);
}
