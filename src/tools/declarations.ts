/** A tool set as TypeScript declarations, for a prompt. Must not know what runs the tools. */
import type { StandardJSONSchemaV1 } from '@standard-schema/spec';
import { isPlainObject } from './describe-value.js';
import type { ToolEntry, ToolTable } from './tool-set.js';
import { commentLines, indented, propertyName, typeName } from './typescript-text.js';
import { type TypeAlias, TypeScriptTypes } from './typescript-type.js';

const HEAD = [
  '// Call a tool as `await tools.name(input)`, or `await tools["name"](input)` where the name is no identifier.',
  '// A call that fails throws an Error with `code` and `message`.',
  '',
].join('\n');
const OPEN = 'declare const tools: {\n';
const CLOSE = '};\n';
/** Room for the line that says which tools are left out: for their number, and of all there is for some of their names. */
const OMISSION_BYTES = 48;
const OMISSION_SHARE = 1 / 8;

interface Declaration {
  name: string;
  aliases: string;
  method: string;
}

/**
 * The same text for the same tools. At most `maxBytes` of UTF-8, if they are 512 or more: tools that do not fit are left
 * out whole, and a line says which.
 */
export function toolDeclarations(tools: ToolTable, maxBytes: number): string {
  const names = new Set<string>();
  const declarations = Array.from(tools.values(), (entry) => declare(entry, names));
  const kept: Declaration[] = [];
  const left: string[] = [];
  const frameSize = Buffer.byteLength(HEAD + OPEN + CLOSE);
  const whole = declarations.reduce((sum, declaration) => sum + sizeOf(declaration), frameSize);
  const reserve = whole <= maxBytes ? 0 : Math.max(OMISSION_BYTES, Math.floor(maxBytes * OMISSION_SHARE));
  let bytes = frameSize;
  for (const declaration of declarations) {
    const size = sizeOf(declaration);
    if (bytes + size + reserve <= maxBytes) {
      bytes += size;
      kept.push(declaration);
    } else {
      left.push(declaration.name);
    }
  }
  const aliases = kept.map((declaration) => declaration.aliases).join('');
  const methods = kept.map(({ method }) => method).join('');
  return HEAD + aliases + OPEN + methods + omission(left, maxBytes - bytes) + CLOSE;
}

function sizeOf({ aliases, method }: Declaration): number {
  return Buffer.byteLength(aliases + method);
}

/** As many names as there is room for. */
function omission(left: readonly string[], bytes: number): string {
  if (left.length === 0) return '';
  const count = `  // Left out for length: ${left.length} ${left.length === 1 ? 'tool' : 'tools'}`;
  let line = `${count}.\n`;
  for (let named = 1; named <= left.length; named++) {
    const more = named < left.length ? ', …' : '';
    const longer = `${count} (${left.slice(0, named).map(propertyName).join(', ')}${more}).\n`;
    if (Buffer.byteLength(longer) > bytes) break;
    line = longer;
  }
  return line;
}

function declare(entry: ToolEntry, names: Set<string>): Declaration {
  const base = typeName(entry.name);
  const newName = (wish: string) => unusedName(`${base}${typeName(wish === '' ? 'value' : wish)}`, names);
  const input = new TypeScriptTypes(jsonSchemaOf(entry.inputSchema, 'input'), newName, 'input');
  const output = new TypeScriptTypes(jsonSchemaOf(entry.outputSchema, 'output'), newName, 'output');
  const inputType = entry.inputSchema === undefined ? 'unknown' : input.type();
  // Arguments are an object whatever a schema leaves open, and what nobody knows of a result is for a program to look at.
  const parameter =
    inputType === 'unknown' ? 'input?: Record<string, unknown>' : `${inputName(entry)}: ${inputType}`;
  const outputType = entry.outputSchema === undefined ? 'unknown' : output.type();
  const result = outputType === 'unknown' ? 'any' : outputType;
  const comment = commentLines(methodNotes(entry, input.notes(), output.notes()));
  const method = [...comment, `${propertyName(entry.name)}(${parameter}): Promise<${result}>;`].join('\n');
  const aliases = [...input.aliases, ...output.aliases].map(aliasText).join('');
  return { name: entry.name, aliases, method: `${indented(method)}\n` };
}

function methodNotes({ description = '', maxCalls }: ToolEntry, input: string, output: string): string {
  const quota = maxCalls === 1 ? 'At most 1 call.' : `At most ${maxCalls} calls.`;
  const lines = [
    description,
    ...(maxCalls === undefined ? [] : [maxCalls === 0 ? 'May not be called.' : quota]),
    ...(input === '' ? [] : [`@param input ${input}`]),
    ...(output === '' ? [] : [`@returns ${output}`]),
  ];
  return lines.join('\n');
}

function aliasText({ name, comment, text }: TypeAlias): string {
  return [...comment, `type ${name} = ${text};\n`].join('\n');
}

/** A call without arguments sends an empty object. */
function inputName({ inputSchema }: ToolEntry): string {
  const schema = jsonSchemaOf(inputSchema, 'input') as { type?: unknown; required?: unknown } | undefined;
  const { type, required } = schema ?? {};
  const needsNothing = type === 'object' && (!Array.isArray(required) || required.length === 0);
  return needsNothing ? 'input?' : 'input';
}

function unusedName(wish: string, names: Set<string>): string {
  let name = wish;
  for (let number = 2; names.has(name); number++) name = `${wish}${number}`;
  names.add(name);
  return name;
}

/** The JSON Schema that a schema is, or says of itself; undefined where it says nothing. Never throws. */
function jsonSchemaOf(schema: unknown, side: 'input' | 'output'): unknown {
  try {
    if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return undefined;
    const { '~standard': standard, jsonSchema } = schema as Partial<StandardJSONSchemaV1> & {
      jsonSchema?: unknown;
    };
    if (standard !== undefined) return standardJsonSchema(standard, side);
    if (Symbol.for('vercel.ai.schema') in schema) return jsonSchema;
    return isPlainObject(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

function standardJsonSchema(
  standard: Partial<StandardJSONSchemaV1.Props>,
  side: 'input' | 'output',
): unknown {
  // zod writes what JSON has no type for, as dates, as anything, instead of nothing at all.
  const libraryOptions = standard.vendor === 'zod' ? { unrepresentable: 'any' } : {};
  return standard.jsonSchema?.[side]({ target: 'draft-2020-12', libraryOptions });
}
