/**
 * A JSON Schema as the text of a TypeScript type, for people and models to read: what the type system can say of it, and
 * the rest in comments. What is not understood is `unknown`, so the type never claims more than the schema. Schemas may hold
 * texts of strangers: no text leaves its comment or its quotes.
 */
import { isMembers, type Members } from './json-members.js';
import { schemaNotes } from './schema-notes.js';
import { literal } from './typescript-literal.js';
import { commentLines, indented, propertyName } from './typescript-text.js';

/** Types that refer to themselves, or are referred to: `type name = text`. */
export interface TypeAlias {
  name: string;
  /** Lines of the comment before it. */
  comment: string[];
  text: string;
}

/** Deepest nesting that is written. */
const MAX_DEPTH = 16;
/** Longest object type that stands on one line. */
const MAX_LINE = 72;

/** Writes the types of one schema document, whose references it follows. */
export class TypeScriptTypes {
  /** Filled while types are written. */
  readonly aliases: TypeAlias[] = [];
  readonly #root: unknown;
  readonly #newName: (wish: string) => string;
  readonly #side: 'input' | 'output';
  readonly #references = new Map<string, string>();
  /** References that are being written, with no object or array in between. */
  #direct: ReadonlySet<string> = new Set();

  /** `newName`: an identifier like its argument, which nobody else has. `side`: who makes the value, the program or the tool. */
  constructor(root: unknown, newName: (wish: string) => string, side: 'input' | 'output') {
    this.#root = root;
    this.#side = side;
    this.#newName = newName;
  }

  /** The type of the whole document. */
  type(): string {
    return this.#type(this.#root, 0);
  }

  /** What is to be said of the whole document besides its type. */
  notes(): string {
    return schemaNotes(this.#root, this.#side);
  }

  #type(schema: unknown, depth: number): string {
    if (schema === false) return 'never';
    if (!isMembers(schema) || depth > MAX_DEPTH) return 'unknown';
    if (typeof schema['$ref'] === 'string') return this.#reference(schema['$ref']);
    const parts = [this.#ownType(schema, depth)];
    for (const keyword of ['anyOf', 'oneOf']) {
      const members = schema[keyword];
      if (Array.isArray(members)) parts.push(union(members.map((member) => this.#type(member, depth + 1))));
    }
    if (Array.isArray(schema['allOf'])) {
      parts.push(...schema['allOf'].map((member: unknown) => this.#type(member, depth + 1)));
    }
    const type = intersection(parts);
    return schema['nullable'] === true ? union([type, 'null']) : type;
  }

  #ownType(schema: Members, depth: number): string {
    if (Object.hasOwn(schema, 'const')) return literal(schema['const'], 0);
    if (Array.isArray(schema['enum']))
      return union(schema['enum'].map((value: unknown) => literal(value, 0)));
    const { type } = schema;
    if (Array.isArray(type)) return union(type.map((name: unknown) => this.#named(name, schema, depth)));
    return this.#named(type ?? impliedType(schema), schema, depth);
  }

  #named(name: unknown, schema: Members, depth: number): string {
    switch (name) {
      case 'string':
      case 'boolean':
      case 'null':
      case 'number':
        return name;
      case 'integer':
        return 'number';
      case 'array':
        return this.#within(() => this.#array(schema, depth));
      case 'object':
        return this.#within(() => this.#object(schema, depth));
      default:
        return 'unknown';
    }
  }

  /** Inside of an object or array, a type may refer to itself. */
  #within(write: () => string): string {
    const direct = this.#direct;
    this.#direct = new Set();
    const text = write();
    this.#direct = direct;
    return text;
  }

  #array(schema: Members, depth: number): string {
    const { items, prefixItems, additionalItems } = schema;
    const [first, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items];
    if (!Array.isArray(first)) return elementsOf(this.#type(rest ?? {}, depth + 1));
    const elements = first.map((element: unknown) => this.#type(element, depth + 1));
    if (rest !== false) elements.push(`...${elementsOf(this.#type(rest ?? {}, depth + 1))}`);
    return `[${elements.join(', ')}]`;
  }

  #object(schema: Members, depth: number): string {
    const { properties, additionalProperties, patternProperties } = schema;
    const required = new Set<unknown>(Array.isArray(schema['required']) ? schema['required'] : []);
    const described: Members = isMembers(properties) ? properties : {};
    const known = [...Object.entries(described), ...undescribed(required, described)];
    if (known.length === 0) return this.#dictionary(additionalProperties, patternProperties, depth);
    const members = known.map(([name, property]) => {
      const mark = required.has(name) ? '' : '?';
      return {
        comment: commentLines(schemaNotes(property, this.#side)),
        text: `${propertyName(name)}${mark}: ${this.#type(property, depth + 1)};`,
      };
    });
    if (
      isMembers(patternProperties) ||
      (additionalProperties !== undefined && additionalProperties !== false) ||
      (additionalProperties === undefined && Object.keys(described).length === 0)
    ) {
      members.push({ comment: [], text: '[name: string]: unknown;' });
    }
    const line = `{ ${members.map(({ text }) => text).join(' ')} }`.replace(/; }$/, ' }');
    const isShort = line.length <= MAX_LINE && !line.includes('\n');
    if (isShort && members.every(({ comment }) => comment.length === 0)) return line;
    return `{\n${members.map(({ comment, text }) => indented([...comment, text].join('\n'))).join('\n')}\n}`;
  }

  /** An object of which no single property is known. */
  #dictionary(additional: unknown, patterns: unknown, depth: number): string {
    const types = isMembers(patterns) ? Object.values(patterns).map((one) => this.#type(one, depth + 1)) : [];
    if (types.length === 0 && additional === false) return 'Record<string, never>';
    if (additional !== false) types.push(this.#type(additional ?? {}, depth + 1));
    // Not a Record: that may not refer to the type that it is part of.
    return `{ [name: string]: ${union(types)} }`;
  }

  #reference(reference: string): string {
    if (this.#direct.has(reference)) return 'unknown';
    const known = this.#references.get(reference);
    if (known !== undefined) return known;
    const target = this.#resolve(reference);
    if (target === undefined) return 'unknown';
    const name = this.#newName(reference.slice(reference.lastIndexOf('/') + 1).replace(/^#/, ''));
    // Known before it is written: it may refer to itself.
    this.#references.set(reference, name);
    const comment = commentLines(schemaNotes(target.schema, this.#side));
    const alias: TypeAlias = { name, comment, text: '' };
    this.aliases.push(alias);
    const direct = this.#direct;
    this.#direct = new Set([...direct, reference]);
    alias.text = this.#type(target.schema, 1);
    this.#direct = direct;
    return name;
  }

  /** By a JSON pointer into the document; undefined for all other references. */
  #resolve(reference: string): { schema: unknown } | undefined {
    if (reference !== '#' && !reference.startsWith('#/')) return undefined;
    let schema = this.#root;
    for (const token of reference.split('/').slice(1)) {
      const key = unescaped(token);
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key)) return undefined;
      schema = (schema as Members)[key];
    }
    return { schema };
  }
}

/** Names that are required, of which nothing else is said. */
function undescribed(required: ReadonlySet<unknown>, described: Members): [string, unknown][] {
  const names = [...required].filter((name) => typeof name === 'string' && !Object.hasOwn(described, name));
  return names.map((name) => [String(name), {}]);
}

function impliedType(schema: Members): string | undefined {
  if (['properties', 'required', 'additionalProperties', 'patternProperties'].some((key) => key in schema)) {
    return 'object';
  }
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)].filter((type) => type !== 'never');
  if (different.includes('unknown')) return 'unknown';
  return different.length === 0 ? 'never' : different.join(' | ');
}

function intersection(types: readonly string[]): string {
  const different = [...new Set(types)].filter((type) => type !== 'unknown');
  if (different.length === 0) return 'unknown';
  if (different.length === 1) return String(different[0]);
  return different.map(grouped).join(' & ');
}

function elementsOf(type: string): string {
  return `${grouped(type)}[]`;
}

/** In parentheses, if it has an operator outside of all brackets and quotes; at worst, there is a pair too many. */
function grouped(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type;
}

function unescaped(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return token;
  }
}
