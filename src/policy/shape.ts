/**
 * Which members a policy has, and of which kinds, as a zod schema; and one sentence about the first that is wrong. What a path or
 * a host must look like is not said here.
 *
 * Apart from the rest because zod costs a thread 14 MB and some 100 ms: only who compiles what others wrote needs this file.
 */
import { z } from 'zod';
import { describeJson, memberPath, suggestion } from './describe.js';
import { PolicyError } from './errors.js';
import { MAX_DESTINATIONS, MAX_RULES, type Policy } from './policy.js';

const PATH_FORMS =
  'write {"special": "minimal-runtime"}, {"root": "workspace"}, {"root": "temp"} (either may have "relative"), or {"absolute": "/…"}';

const path = z
  .strictObject({
    special: z.literal('minimal-runtime').optional(),
    root: z.enum(['workspace', 'temp']).optional(),
    relative: z.string().optional(),
    absolute: z.string().optional(),
  })
  .refine(
    ({ special, root, relative, absolute }) =>
      [special, root, absolute].filter((form) => form !== undefined).length === 1 &&
      (relative === undefined || root !== undefined),
    `a path has exactly one form: ${PATH_FORMS}`,
  );

const rule = z.strictObject({
  access: z.enum(['read', 'write', 'deny', 'deny-write']),
  path,
  scope: z.enum(['tree', 'exact']).optional(),
  missing: z.enum(['error', 'skip']).optional(),
});

const PORT = 'a port is a whole number from 1 to 65535';

const destination = z.strictObject({
  protocol: z.literal('tcp'),
  host: z.string(),
  port: z.int(PORT).min(1, PORT).max(65535, PORT),
  requireTlsSni: z.boolean().optional(),
  allowPrivateAddresses: z.boolean().optional(),
});

const DESTINATIONS = `allow has 1 to ${MAX_DESTINATIONS} destinations; for none of them, write {"mode": "none"}`;

const network = z
  .strictObject({
    mode: z.enum(['none', 'direct', 'mediated']),
    allow: z.array(destination).min(1, DESTINATIONS).max(MAX_DESTINATIONS, DESTINATIONS).optional(),
  })
  .refine(
    ({ mode, allow }) => (mode === 'mediated') === (allow !== undefined),
    'the mode mediated needs allow, and no other mode has it',
  );

const policy = z.strictObject({
  $schema: z.string().optional(),
  formatVersion: z.literal(3),
  filesystem: z.strictObject({
    default: z.literal('deny'),
    rules: z
      .array(rule)
      .max(MAX_RULES, `a policy has at most ${MAX_RULES} rules: name directories, not their files`),
  }),
  network,
  root: z.strictObject({ mode: z.enum(['read-only', 'ephemeral-write']) }),
  process: z.strictObject({ treeConfinement: z.enum(['required', 'disabled']) }),
});

/** The value as a policy. Throws PolicyError, which names the member. `value` is plain data (see plain-value.ts). */
export function checkShape(value: unknown): Policy {
  const result = policy.safeParse(value, { reportInput: true });
  // No member is optional by being undefined: plain data has no such members.
  if (result.success) return result.data as Policy;
  const { issues } = result.error;
  // A misspelt member is missing too, under its right name: the slip says more.
  throw problemOf(issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]);
}

function problemOf(issue: z.core.$ZodIssue | undefined): PolicyError {
  if (issue === undefined) return new PolicyError('this is no policy');
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const where = memberPath([...issue.path, key]);
    return new PolicyError(`${where} does not exist: ${suggestion(key, membersAt(issue.path))}`, where);
  }
  const where = memberPath(issue.path);
  const member = where === '' ? 'the policy' : where;
  if (issue.code === 'custom') return new PolicyError(`${member}: ${issue.message}`, where || undefined);
  const what = issue.input === undefined ? 'is missing' : `is ${describeJson(issue.input)}`;
  return new PolicyError(`${member} ${what}: ${expectation(issue)}`, where || undefined);
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return suggestion(issue.input, issue.values.map(String));
  if (issue.code !== 'invalid_type') return issue.message;
  if (issue.path.at(-1) === 'path') return PATH_FORMS;
  // zod's own sentence, unless the schema has one.
  return issue.message.startsWith('Invalid input')
    ? `it must be ${EXPECTED[issue.expected] ?? issue.expected}`
    : issue.message;
}

const EXPECTED: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a text',
  boolean: 'true or false',
};

/** The members that an object at this place of a policy can have. */
function membersAt(place: readonly PropertyKey[]): string[] {
  let schema: unknown = policy;
  for (const key of place) {
    schema = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    if (schema instanceof z.ZodArray) schema = schema.element;
    else if (schema instanceof z.ZodObject) schema = schema.shape[String(key)];
  }
  schema = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
