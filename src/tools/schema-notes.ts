/**
 * What is to be said of a schema besides its TypeScript type: its description, and the keywords that types cannot express,
 * as `@keyword value`. Parts that have no property to stand before, such as the items of an array or the branches of a
 * union, follow in parentheses. Must not know where the text goes: it may hold anything that a schema does.
 */
import { isMembers, type Members } from './json-members.js';
import { literal } from './typescript-literal.js';

/** Who makes the value: a program, or a tool. */
type Side = 'input' | 'output';

/** In the order in which they are said. */
const KEYWORDS = [
  'format',
  'pattern',
  'contentEncoding',
  'contentMediaType',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'not',
];
/** Said without a value, where they are true. */
const FLAGS = ['uniqueItems', 'deprecated'];
/** Schemas of parts, of which a type shows the type only. */
const PARTS = ['items', 'contains', 'propertyNames', 'additionalProperties'];

/** Deepest nesting of parentheses. */
const MAX_DEPTH = 6;
/** Longest text of one value, UTF-16 code units. */
const MAX_VALUE_LENGTH = 200;
/** What is longer says no more than the `format` beside it. */
const MAX_PATTERN_LENGTH = 40;

/** One text, which may have line breaks; empty if there is nothing to say. */
export function schemaNotes(schema: unknown, side: Side): string {
  return notes(schema, side, 0);
}

function notes(schema: unknown, side: Side, depth: number): string {
  if (!isMembers(schema) || depth > MAX_DEPTH) return '';
  const { description, type, $ref } = schema;
  const said: string[] = [];
  if (typeof description === 'string') said.push(description);
  if ($ref === undefined) said.push(typeNote(type));
  for (const name of KEYWORDS) {
    if (schema[name] !== undefined && !isNoise(name, schema))
      said.push(`@${name} ${valueText(schema[name])}`);
  }
  for (const name of FLAGS) {
    if (schema[name] === true) said.push(`@${name}`);
  }
  // What a tool returns has what it has.
  if (side === 'input' && schema['additionalProperties'] === false) said.push('@additionalProperties false');
  said.push(...partNotes(schema, side, depth), ...branchNotes(schema, side, depth));
  if (schema['default'] !== undefined) said.push(`@default ${bounded(literal(schema['default'], 0))}`);
  const example = firstExample(schema);
  if (example !== undefined) said.push(`@example ${bounded(literal(example, 0))}`);
  return said.filter((one) => one !== '').join(' ');
}

/** TypeScript has no integers. */
function typeNote(type: unknown): string {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null');
  return types.includes('integer') && !types.includes('number') ? `@type ${types.join(' | ')}` : '';
}

function partNotes(schema: Members, side: Side, depth: number): string[] {
  const said: string[] = [];
  const add = (label: string, part: unknown) => {
    const text = notes(part, side, depth + 1);
    if (text !== '') said.push(`@${label} (${text})`);
  };
  for (const name of PARTS) add(name, schema[name]);
  const { items, prefixItems, patternProperties } = schema;
  const first = Array.isArray(items) ? items : prefixItems;
  if (Array.isArray(first)) {
    first.forEach((element, index) => {
      add(`items[${index}]`, element);
    });
  }
  if (isMembers(patternProperties)) {
    for (const [pattern, part] of Object.entries(patternProperties)) {
      const text = notes(part, side, depth + 1);
      said.push(`@patternProperties ${bounded(pattern)}${text === '' ? '' : ` (${text})`}`);
    }
  }
  return said;
}

function branchNotes(schema: Members, side: Side, depth: number): string[] {
  const said: string[] = [];
  for (const part of listOf(schema['allOf'])) said.push(notes(part, side, depth + 1));
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[keyword]).filter((branch) => !isNull(branch));
    if (branches.length === 1) {
      said.push(notes(branches[0], side, depth + 1));
      continue;
    }
    const texts = branches.map((branch) => branchNote(branch, side, depth)).filter((text) => text !== '');
    if (texts.length > 0) said.push(`@${keyword} ${texts.join(' ')}`);
  }
  return said;
}

/** With the type of the branch, which tells it from the others. */
function branchNote(branch: unknown, side: Side, depth: number): string {
  const text = notes(branch, side, depth + 1);
  if (text === '' || !isMembers(branch)) return '';
  const { type } = branch;
  return typeof type === 'string' && type !== 'integer' ? `(${type}: ${text})` : `(${text})`;
}

function isNull(branch: unknown): boolean {
  return isMembers(branch) && (branch['type'] === 'null' || branch['const'] === null);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What libraries write of themselves: the bounds of every integer that is one, and the expression of a format. */
function isNoise(name: string, { [name]: value, format }: Members): boolean {
  if (name === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  if (name === 'maximum') return value === Number.MAX_SAFE_INTEGER;
  return name === 'pattern' && format !== undefined && String(value).length > MAX_PATTERN_LENGTH;
}

function firstExample({ examples, example }: Members): unknown {
  return Array.isArray(examples) && examples.length > 0 ? examples[0] : example;
}

function valueText(value: unknown): string {
  return bounded(typeof value === 'string' ? value : literal(value, 0));
}

function bounded(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}
