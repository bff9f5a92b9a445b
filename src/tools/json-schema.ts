/**
 * JSON Schemas as checks, by ajv. Each schema gets an ajv of its own, so that two with one `$id` do not meet, and that
 * everything goes when the schema does.
 *
 * What is checked comes from programs, so the time it takes is bounded where ajv's is not: `uniqueItems` is not
 * quadratic, and the search for further problems, after the first, looks at small values only, and at no pattern.
 */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import { canonicalText } from './canonical-json.js';
import { hasCycle } from './cycle.js';
import { describeThrown } from './describe-value.js';
import type { Checked, ValueProblem } from './schema-problem.js';

/** A schema that cannot be used; continues a sentence that begins with its place. */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
}

type AjvClass = new (options?: Options) => Ajv;

/** ajv is loaded for those who have JSON Schemas: it takes 30 ms. */
const load = createRequire(import.meta.url);

/** Module of ajv for each dialect, by its `$schema` without scheme and fragment. */
const DIALECTS: Readonly<Record<string, string>> = {
  'json-schema.org/draft/2020-12/schema': 'ajv/dist/2020.js',
  'json-schema.org/draft/2019-09/schema': 'ajv/dist/2019.js',
  'json-schema.org/draft-07/schema': 'ajv/dist/ajv.js',
  'json-schema.org/draft-06/schema': 'ajv/dist/ajv.js',
};
/** What draft-06 documents are checked against: draft-07 only adds to it. */
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

export type Dialect = '2020-12' | 'draft-07';
const DEFAULTS: Readonly<Record<Dialect, string>> = {
  '2020-12': 'ajv/dist/2020.js',
  'draft-07': 'ajv/dist/ajv.js',
};

/** Values with more members than this are told their first problem only. */
const MAX_MEMBERS_FOR_ALL = 1000;

const OPTIONS: Options = {
  // As the standard has it: keywords that nobody knows are annotations.
  strict: false,
  logger: false,
  // `required: ['constructor']` asks for a member, which no prototype has for it.
  ownProperties: true,
  useDefaults: true,
};

/** ajv's of each dialect that only know whether a schema is one. Compiling that takes them some 100 ms, once. */
const judges = new Map<string, Ajv>();

/**
 * The check of a schema; `dialect`: unless its `$schema` says another. Missing members that have a `default` are put into
 * what is checked, which has to be the caller's own copy. Throws SchemaProblem.
 */
export function compileJsonSchema(schema: object, dialect: Dialect): (value: unknown) => Checked {
  const module = moduleOf(schema, dialect);
  refuseCycle(schema);
  try {
    judge(schema, module);
  } catch (error) {
    throw error instanceof SchemaProblem ? error : notCompiled(error);
  }
  const validate = compiled(schema, module, {});
  let validateAll: ValidateFunction | undefined;
  return (value) => {
    if (validate(value)) return { ok: true, value };
    const problems = (validate.errors ?? []).map((error) => problem(error, value));
    if (hasAtMost(MAX_MEMBERS_FOR_ALL, value)) {
      // A maxLength may have spared the first look a pattern. The second leaves all of them out.
      validateAll ??= compiled(schema, module, { allErrors: true, validateFormats: false }, ['pattern']);
      if (!validateAll(value))
        addNew(
          problems,
          (validateAll.errors ?? []).map((error) => problem(error, value)),
        );
    }
    return { ok: false, problems };
  };
}

function moduleOf(schema: object, dialect: Dialect): string {
  const { $schema } = schema as { $schema?: unknown };
  if ($schema === undefined) return DEFAULTS[dialect];
  const name = String($schema)
    .replace(/^https?:\/\//, '')
    .replace(/#$/, '');
  const module = Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined;
  if (module === undefined) {
    throw new SchemaProblem(
      `has the $schema ${JSON.stringify($schema)}: there are draft 2020-12, 2019-09, draft-07 and draft-06`,
    );
  }
  return module;
}

function refuseCycle(schema: object): void {
  let isCyclic: boolean;
  try {
    isCyclic = hasCycle(schema);
  } catch (cause) {
    const why = cause instanceof RangeError ? 'it is nested too deeply' : describeThrown(cause);
    throw new SchemaProblem(`cannot be read: ${why}`, { cause });
  }
  if (isCyclic)
    throw new SchemaProblem(
      'is a cyclic object, which contains itself: refer to it by its place instead, as in { $ref: "#" }',
    );
}

function judge(schema: object, module: string): void {
  let ajv = judges.get(module);
  if (ajv === undefined) {
    ajv = new (ajvClass(module))(OPTIONS);
    judges.set(module, ajv);
  }
  const { $schema, ...keywords } = schema as Record<string, unknown>;
  // ajv knows `id`, to refuse it.
  const isKnown = (keyword: string) => keyword !== 'id' && ajv.getKeyword(keyword) !== false;
  const known = Object.keys(keywords).some(isKnown);
  if (!known && Object.keys(keywords).length > 0) {
    const names = Object.keys(keywords).slice(0, 3).join(', ');
    throw new SchemaProblem(
      `is no JSON Schema: it has ${names}, and no keyword that is checked; ` +
        "properties stand in { type: 'object', properties: { … } }",
    );
  }
  const isDraft06 = module === DEFAULTS['draft-07'] && $schema !== undefined;
  if (ajv.validateSchema(isDraft06 ? { ...keywords, $schema: DRAFT_07 } : schema) === true) return;
  const [error] = ajv.errors ?? [];
  throw new SchemaProblem(
    `is no JSON Schema: ${error?.instancePath || 'it'} ${error?.message ?? 'does not fit its meta-schema'}`,
  );
}

function compiled(
  schema: object,
  module: string,
  options: Options,
  without: string[] = [],
): ValidateFunction {
  try {
    const ajv = new (ajvClass(module))({ ...OPTIONS, ...options, meta: false, validateSchema: false });
    addFormats(ajv);
    for (const keyword of ['uniqueItems', ...without]) ajv.removeKeyword(keyword);
    ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', compile: uniqueItems });
    const validate = ajv.compile(schema);
    if ('$async' in validate) throw new Error('$async is no keyword of JSON Schema');
    return validate;
  } catch (error) {
    throw notCompiled(error);
  }
}

/** Of a schema that ajv has no fault to find with, or of ajv itself, which cannot be used where Object.prototype has enumerable members. */
function notCompiled(cause: unknown): SchemaProblem {
  return new SchemaProblem(`cannot be compiled: ${describeThrown(cause)}`, { cause });
}

function ajvClass(module: string): AjvClass {
  return (load(module) as { default: AjvClass }).default;
}

function addFormats(ajv: Ajv): void {
  (load('ajv-formats') as { default: FormatsPlugin }).default(ajv);
}

function uniqueItems(wanted: boolean): (items: unknown[]) => boolean {
  return (items) => !wanted || new Set(items.map(canonicalText)).size === items.length;
}

function problem(error: ErrorObject, value: unknown): ValueProblem {
  const path = pathOf(error.instancePath, value);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
      return { path: [...path, String(params['missingProperty'])], message: 'is required' };
    case 'additionalProperties':
      return {
        path: [...path, String(params['additionalProperty'])],
        message: 'is not a property of the schema',
      };
    case 'unevaluatedProperties':
      return {
        path: [...path, String(params['unevaluatedProperty'])],
        message: 'is not a property of the schema',
      };
    case 'enum':
      return {
        path,
        message: `must be one of ${(params['allowedValues'] as unknown[]).map(canonicalText).join(', ')}`,
      };
    case 'const':
      return { path, message: `must be ${canonicalText(params['allowedValue'])}` };
    case 'uniqueItems':
      return { path, message: 'must have no two equal items' };
    default:
      return { path, message: error.message ?? `does not fit ${error.keyword}` };
  }
}

/** A JSON pointer, with what it points into telling indices from keys. */
function pathOf(pointer: string, value: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  let place = value;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(place) ? Number(key) : key);
    place = (place as Record<string, unknown> | undefined)?.[key];
  }
  return path;
}

function addNew(problems: ValueProblem[], more: readonly ValueProblem[]): void {
  const known = new Set(problems.map(canonicalText));
  for (const one of more) {
    const text = canonicalText(one);
    if (!known.has(text)) problems.push(one);
    known.add(text);
  }
}

/** Whether a JSON value has no more than `most` members, its members' members included. */
function hasAtMost(most: number, value: unknown): boolean {
  let left = most;
  const count = (part: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return true;
    for (const member of Object.values(part)) {
      if (--left < 0 || !count(member)) return false;
    }
    return true;
  };
  return count(value);
}
