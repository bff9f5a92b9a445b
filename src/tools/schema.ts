/** What may stand where a schema is asked for, as types; schema-check.ts is what reads them. */
import type { StandardSchemaV1 } from '@standard-schema/spec';

/**
 * A JSON Schema: an object, not `true` or `false`. Of draft 2020-12, unless its `$schema` says 2019-09, draft-07 or
 * draft-06. Keywords that nobody knows are annotations, as the standard has it.
 */
export type JsonSchema =
  | { readonly [keyword: string]: unknown }
  // Interfaces, such as JSONSchema7 of @types/json-schema, have no index signature.
  | {
      readonly $schema?: string | undefined;
      readonly $ref?: string | undefined;
      readonly type?: unknown;
      readonly properties?: object | undefined;
      readonly anyOf?: readonly unknown[] | undefined;
      readonly oneOf?: readonly unknown[] | undefined;
      readonly allOf?: readonly unknown[] | undefined;
      readonly enum?: readonly unknown[] | undefined;
    };

/** What `jsonSchema()` of the AI SDK makes, known by its `Symbol.for('vercel.ai.schema')`. */
export interface AiSdkSchema<T = unknown> {
  /** For types only. */
  readonly _type: T;
  /** A JSON Schema (draft-07, unless its `$schema` says another), or a promise of one. */
  readonly jsonSchema: unknown;
  /** Where present, it checks in the place of the JSON Schema. */
  readonly validate?: ((value: unknown) => unknown) | undefined;
}

/**
 * A schema whose values are `T`: a JSON Schema (from which no `T` is inferred), any implementation of Standard Schema v1
 * (zod 3.24 and 4, valibot, arktype and others; synchronous or not), or what `jsonSchema()` of the AI SDK makes.
 */
export type Schema<T = unknown> = JsonSchema | StandardSchemaV1<unknown, T> | AiSdkSchema<T>;
