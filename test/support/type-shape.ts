/**
 * The shape of a TypeScript type, and that of a JSON Schema, in the same words: so that they can be compared. Knows as much of both
 * as the receipt needs, and throws for anything else.
 */
import assert from 'node:assert/strict';
import ts from 'typescript';

/** `string`, `number`, `boolean`, `null`, a literal as JSON; a list; a map of any names; an object; alternatives, in order. */
export type Shape =
  | string
  | { list: Shape }
  | { map: Shape }
  | { members: Record<string, Shape>; optional: string[] }
  | { anyOf: Shape[] };

/** Of an exported type of a file. */
export function shapeOfType(file: string, name: string): Shape {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const symbol =
    module === undefined ? undefined : checker.getExportsOfModule(module).find((each) => each.name === name);
  assert.ok(symbol !== undefined, `${file} exports no ${name}`);
  return shapeOf(checker, checker.getDeclaredTypeOfSymbol(symbol));
}

function shapeOf(checker: ts.TypeChecker, type: ts.Type): Shape {
  if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
  if (type.isUnion()) {
    // That a member may be absent is said beside it.
    const types = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    return anyOf(types.map((each) => shapeOf(checker, each)));
  }
  if (type.isStringLiteral()) return JSON.stringify(type.value);
  if (type.flags & ts.TypeFlags.String) return 'string';
  if (type.flags & ts.TypeFlags.Number) return 'number';
  if (type.flags & ts.TypeFlags.Null) return 'null';
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (checker.isArrayType(type) && index !== undefined) return { list: shapeOf(checker, index) };
  const map = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  if (map !== undefined) return { map: shapeOf(checker, map) };
  const properties = checker.getPropertiesOfType(type);
  assert.ok(properties.length > 0, `no shape of ${checker.typeToString(type)} is known`);
  return object(
    properties.map((property) => [property.name, shapeOf(checker, checker.getTypeOfSymbol(property))]),
    properties.filter(({ flags }) => flags & ts.SymbolFlags.Optional).map(({ name }) => name),
  );
}

type Schema = { [keyword: string]: unknown };

export function shapeOfSchema(schema: Schema, root: Schema = schema): Shape {
  const { $ref, const: value, oneOf, properties, additionalProperties, items, type } = schema;
  if (typeof $ref === 'string') return shapeOfSchema(definition(root, $ref), root);
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(schema['enum'])) return anyOf(schema['enum'].map((each) => JSON.stringify(each)));
  if (Array.isArray(oneOf)) return anyOf(oneOf.map((each) => shapeOfSchema(each, root)));
  if (type === 'array') return { list: shapeOfSchema(items as Schema, root) };
  if (type === 'object' && properties === undefined)
    return { map: shapeOfSchema(additionalProperties as Schema, root) };
  if (type === 'object') {
    const members = Object.entries(properties as Record<string, Schema>);
    const required = schema['required'] as string[];
    return object(
      members.map(([name, each]) => [name, shapeOfSchema(each, root)]),
      members.map(([name]) => name).filter((name) => !required.includes(name)),
    );
  }
  assert.ok(typeof type === 'string', `no shape of ${JSON.stringify(schema)} is known`);
  return type === 'integer' ? 'number' : type;
}

function definition(root: Schema, reference: string): Schema {
  const name = reference.replace('#/$defs/', '');
  return (root['$defs'] as Record<string, Schema>)[name] ?? assert.fail(`${reference} is not defined`);
}

function object(members: [string, Shape][], optional: string[]): Shape {
  return {
    members: Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1))),
    optional: optional.sort(),
  };
}

function anyOf(shapes: Shape[]): Shape {
  const [only, ...more] = shapes.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return only !== undefined && more.length === 0 ? only : { anyOf: shapes };
}
