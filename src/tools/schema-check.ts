/** Reads whatever may stand where a schema is asked for into one kind of check. Must not know what is checked, or why. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describeValue, isPlainObject } from './describe-value.js';
import { compileJsonSchema, type Dialect, SchemaProblem } from './json-schema.js';
import type { Checked, ValueProblem } from './schema-problem.js';

export { SchemaProblem } from './json-schema.js';

export interface SchemaCheck {
  /** What it looks at: the value as it is, or as JSON makes it (a Date is a string by then). */
  readonly sees: 'value' | 'json';
  /** May throw or reject, which is the schema's own failure and nobody's input. */
  check(value: unknown): Checked | PromiseLike<Checked>;
}

/** The mark of schemas of the AI SDK. */
const AI_SDK = Symbol.for('vercel.ai.schema');

const checks = new WeakMap<object, SchemaCheck>();

/** The check of `schema`, made once for each object. Throws SchemaProblem, which continues a sentence about the schema. */
export function schemaCheck(schema: unknown): SchemaCheck {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) {
    throw new SchemaProblem(
      `is ${describeValue(schema)}: pass a JSON Schema, or a schema of zod, valibot or arktype`,
    );
  }
  let check = checks.get(schema);
  if (check === undefined) {
    check = readSchema(schema);
    checks.set(schema, check);
  }
  return check;
}

function readSchema(schema: object): SchemaCheck {
  const { '~standard': standard } = schema as Partial<StandardSchemaV1>;
  if (standard !== undefined) return standardCheck(standard);
  if ((schema as { [AI_SDK]?: unknown })[AI_SDK] === true) {
    return aiSdkCheck(schema as { jsonSchema?: unknown; validate?: unknown });
  }
  if (typeof schema === 'function' || !isPlainObject(schema)) {
    throw new SchemaProblem(
      `is ${describeValue(schema)} that is no schema: pass a JSON Schema, or one of zod 4, valibot or arktype`,
    );
  }
  for (const [key, member] of Object.entries(schema)) {
    if (
      (typeof member === 'object' || typeof member === 'function') &&
      member !== null &&
      '~standard' in member
    ) {
      // As a JSON Schema it would have no keyword, and let everything pass.
      throw new SchemaProblem(
        `is an object of schemas (${JSON.stringify(key)} is one), not a schema: wrap it, as in z.object({ … })`,
      );
    }
  }
  return jsonCheck(schema, '2020-12');
}

function jsonCheck(schema: object, dialect: Dialect): SchemaCheck {
  return { sees: 'json', check: compileJsonSchema(schema, dialect) };
}

function standardCheck(standard: StandardSchemaV1.Props): SchemaCheck {
  if (standard.version !== 1 || typeof standard.validate !== 'function') {
    throw new SchemaProblem('is of a version of Standard Schema that is not 1');
  }
  return {
    sees: 'value',
    check(value) {
      const result = standard.validate(value);
      return isPromise(result) ? result.then(standardResult) : standardResult(result);
    },
  };
}

function standardResult(result: StandardSchemaV1.Result<unknown>): Checked {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, problems: issueProblems(result.issues) };
}

function issueProblems(issues: readonly StandardSchemaV1.Issue[]): ValueProblem[] {
  if (issues.length === 0) return [{ path: [], message: 'does not fit the schema' }];
  return issues.map(({ path = [], message }) => ({
    path: path.map((segment) => {
      const key = typeof segment === 'object' ? segment.key : segment;
      return typeof key === 'number' ? key : String(key);
    }),
    message: String(message),
  }));
}

function aiSdkCheck(schema: { jsonSchema?: unknown; validate?: unknown }): SchemaCheck {
  const { validate } = schema;
  if (typeof validate === 'function') {
    return {
      sees: 'value',
      check(value) {
        const result: unknown = validate.call(schema, value);
        return isPromise(result) ? result.then(aiSdkResult) : aiSdkResult(result);
      },
    };
  }
  const { jsonSchema } = schema;
  if (isPromise(jsonSchema)) {
    // Read when it is there: one that cannot be compiled then fails each check, and lets nothing pass.
    let check: SchemaCheck | undefined;
    return {
      sees: 'json',
      async check(value) {
        check ??= readAiSdkJsonSchema(await jsonSchema);
        return check.check(value);
      },
    };
  }
  return readAiSdkJsonSchema(jsonSchema);
}

/** The AI SDK's own type of JSON Schemas is draft-07. */
function readAiSdkJsonSchema(schema: unknown): SchemaCheck {
  if (typeof schema === 'object' && schema !== null) return jsonCheck(schema, 'draft-07');
  throw new SchemaProblem(`has the jsonSchema ${describeValue(schema)}: it must be an object`);
}

function aiSdkResult(result: unknown): Checked {
  const { success, value, error } = result as { success: unknown; value?: unknown; error?: unknown };
  if (success === true) return { ok: true, value };
  if (success !== false) throw new TypeError('validate() of a schema returned no { success }');
  const issues = issuesOf(error);
  if (issues !== undefined) return { ok: false, problems: issueProblems(issues) };
  const message = error instanceof Error ? error.message : 'does not fit the schema';
  return { ok: false, problems: [{ path: [], message }] };
}

/** The issues of a ZodError, and of the error that the AI SDK wraps around issues. */
function issuesOf(error: unknown): StandardSchemaV1.Issue[] | undefined {
  const { issues, cause } = (error ?? {}) as { issues?: unknown; cause?: unknown };
  const { issues: inner } = (cause ?? {}) as { issues?: unknown };
  return [issues, cause, inner].find((list) => Array.isArray(list)) as StandardSchemaV1.Issue[] | undefined;
}

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
