import assert from 'node:assert/strict';
import { type } from 'arktype';
import ts from 'typescript';
import * as v from 'valibot';
import { describeTools, type Tool, type ToolSet } from 'wardenpool';
import { z } from 'zod';

const execute = () => null as never;
const withInput = (inputSchema: object): ToolSet => ({ t: { inputSchema, execute } });

/** As much of the standard library as declarations and the programs below use: the whole of it takes seconds to check. */
const LIBRARY = `
interface Array<T> { length: number; [n: number]: T }
interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {}
interface NewableFunction {} interface Object {} interface RegExp {} interface String {}
interface Number { toFixed(): string }
interface PromiseLike<T> { then<R>(done: (value: T) => R): PromiseLike<R> }
interface Promise<T> extends PromiseLike<T> {}
declare var Promise: { new <T>(start: (done: (value: T) => void) => void): Promise<T> };
type Record<K extends string, T> = { [P in K]: T };
`;

/** What the compiler has against a text, strictly. */
function problems(...files: string[]): string[] {
  const texts = new Map([LIBRARY, ...files].map((text, index) => [`/file${index}.ts`, text]));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noLib: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  host.fileExists = (name) => texts.has(name);
  host.getSourceFile = (name, version) => ts.createSourceFile(name, texts.get(name) ?? '', version, true);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([...texts.keys()], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** The types of arguments, as they stand in the declaration of one tool `t`. */
function inputType(schema: object): string {
  const text = describeTools(withInput(schema));
  const [, found] = /^ {2}t\(input\??: ([\s\S]*)\): Promise<any>;$/m.exec(text) ?? [];
  return String(found);
}

describe('describeTools', () => {
  const node = z.object({
    value: z.number(),
    get children() {
      return z.array(node);
    },
  });
  const tools: ToolSet = {
    bare: () => 1,
    'math.double': {
      description: 'Doubles a number.\nFor ever.',
      inputSchema: z.object({ value: z.number().min(1).describe('The number.') }),
      outputSchema: z.object({ value: z.number() }),
      execute,
    },
    orders: {
      inputSchema: type({ customer: 'string', 'limit?': 'number' }),
      outputSchema: { type: 'array', items: { $ref: '#/$defs/order' }, $defs: { order: { type: 'object' } } },
      execute,
    },
    tree: { inputSchema: node, execute },
    opaque: { inputSchema: v.object({ a: v.string() }), execute },
  };

  it('declares names, descriptions, inputs and outputs', () => {
    assert.equal(
      describeTools(tools).split('\n').slice(2).join('\n'),
      `type OrdersOrder = { [name: string]: unknown };
type TreeValue = { value: number; children: TreeValue[] };
declare const tools: {
  bare(input?: Record<string, unknown>): Promise<any>;
  /**
   * Doubles a number.
   * For ever.
   */
  "math.double"(input: {
    /** The number. @minimum 1 */
    value: number;
  }): Promise<{ value: number }>;
  orders(input: { customer: string; limit?: number }): Promise<OrdersOrder[]>;
  tree(input: { value: number; children: TreeValue[] }): Promise<any>;
  opaque(input?: Record<string, unknown>): Promise<any>;
};
`,
    );
  });

  it('gives the same text again', () => {
    assert.equal(describeTools(tools), describeTools({ ...tools }));
  });

  it('gives a text by which programs type-check, and wrong ones do not', () => {
    const program = (argument: string) =>
      `async function main() { const { value } = await tools["math.double"](${argument}); value.toFixed(); }`;
    assert.deepEqual(problems(describeTools(tools), program('{ value: 1 }')), []);
    assert.match(String(problems(describeTools(tools), program("{ value: 'x' }"))), /not assignable/);
    assert.match(String(problems(describeTools(tools), program(''))), /Expected 1 arguments/);
  });

  const types: [string, object, string][] = [
    [
      'primitive types',
      { properties: { a: { type: 'number' }, b: { type: ['string', 'null'] } } },
      '{ a?: number; b?: string | null }',
    ],
    [
      'constants and enumerations',
      { properties: { a: { const: -1 }, b: { enum: ['x', 2, null, { c: [true] }] } } },
      '{ a?: -1; b?: "x" | 2 | null | { c: [true] } }',
    ],
    [
      'arrays',
      { properties: { a: { type: 'array', items: { type: ['string', 'number'] } }, b: { items: {} } } },
      '{ a?: (string | number)[]; b?: unknown[] }',
    ],
    [
      'tuples',
      {
        properties: {
          a: { prefixItems: [{ type: 'string' }], items: false },
          b: { prefixItems: [{}], items: { type: 'number' } },
        },
      },
      '{ a?: [string]; b?: [unknown, ...number[]] }',
    ],
    [
      'dictionaries',
      { type: 'object', additionalProperties: { type: 'number' } },
      '{ [name: string]: number }',
    ],
    ['objects without members', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [
      'further members',
      { properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: true },
      '{ a: string; [name: string]: unknown }',
    ],
    [
      'unions',
      { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] },
      '{ a?: string } | null',
    ],
    [
      'intersections',
      { allOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }] },
      '{ a: unknown } & { b?: unknown }',
    ],
    [
      'names that are required and not described',
      { properties: { a: { type: 'string' } }, required: ['a', 'b'] },
      '{ a: string; b: unknown }',
    ],
    [
      'names of which no more is said than that they are required',
      { type: 'object', required: ['a'] },
      '{ a: unknown; [name: string]: unknown }',
    ],
    ['nullable', { properties: { a: { type: 'string', nullable: true } } }, '{ a?: string | null }'],
    [
      'names that are no identifiers',
      { properties: { 'a-b': {}, '3d': {}, __proto__x: {}, new: {}, 'ü"': {} } },
      '{ "a-b"?: unknown; "3d"?: unknown; __proto__x?: unknown; "new"?: unknown; "ü\\""?: unknown }',
    ],
    [
      'references to the document',
      { type: 'object', properties: { next: { $ref: '#' } } },
      '{ next?: TValue }',
    ],
    [
      'references to anchors as unknown',
      { properties: { a: { $ref: '#anchor' } }, $defs: { x: { $anchor: 'anchor' } } },
      '{ a?: unknown }',
    ],
  ];
  for (const [what, schema, expected] of types) {
    it(`writes ${what}`, () => {
      assert.equal(inputType(schema).replace(/\s+/g, ' ').replaceAll('; }', ' }'), expected);
      assert.deepEqual(problems(describeTools(withInput(schema))), []);
    });
  }

  const recursive: [string, object][] = [
    [
      'in a dictionary',
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', additionalProperties: { $ref: '#/$defs/a' } } } },
    ],
    ['in an array', { $ref: '#/$defs/a', $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } }],
    [
      'through another',
      {
        properties: { a: { $ref: '#/$defs/a' } },
        $defs: {
          a: { properties: { b: { $ref: '#/$defs/b' } } },
          b: { properties: { a: { $ref: '#/$defs/a' } } },
        },
      },
    ],
    [
      'in a union',
      {
        $ref: '#/$defs/a',
        $defs: { a: { anyOf: [{ type: 'null' }, { properties: { a: { $ref: '#/$defs/a' } } }] } },
      },
    ],
  ];
  for (const [what, schema] of recursive) {
    it(`writes types that refer to themselves ${what}`, () => {
      const text = describeTools(withInput(schema));
      assert.match(text, /^type TA/m);
      assert.deepEqual(problems(text), []);
    });
  }

  const constraints: [string, object, string][] = [
    ['an integer', { type: 'integer' }, '@type integer'],
    ['an integer or a string', { type: ['integer', 'string', 'null'] }, '@type integer | string'],
    [
      'bounds of numbers',
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5 },
      '@exclusiveMinimum 0 @exclusiveMaximum 9 @multipleOf 0.5',
    ],
    ['not the bounds of every integer of zod', z.int().describe('A.'), 'A. @type integer'],
    [
      'a format, not the long pattern beside it',
      { type: 'string', format: 'email', pattern: `^${'a'.repeat(60)}$` },
      '@format email',
    ],
    ['a pattern alone', { type: 'string', pattern: `^${'a'.repeat(60)}$` }, `@pattern ^${'a'.repeat(60)}$`],
    [
      'bounds of strings and arrays',
      { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 3, uniqueItems: true },
      '@minItems 1 @maxItems 3 @uniqueItems @items (@minLength 1)',
    ],
    [
      'items of items',
      { items: { items: { description: 'A.', type: 'integer' } } },
      '@items (@items (A. @type integer))',
    ],
    [
      'elements of tuples',
      { prefixItems: [{}, { type: 'integer' }], items: { minimum: 1 } },
      '@items (@minimum 1) @items[1] (@type integer)',
    ],
    [
      'branches',
      { anyOf: [{ type: 'string', format: 'email' }, { type: 'integer', minimum: 1 }, { type: 'null' }] },
      '@anyOf (string: @format email) (@type integer @minimum 1)',
    ],
    ['what may be null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '@type integer'],
    ['nullable', { type: 'string', maxLength: 3, nullable: true }, '@maxLength 3'],
    ['all of several', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, '@minimum 1 @maximum 2'],
    [
      'members of objects',
      { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: false },
      '@minProperties 1 @maxProperties 2 @additionalProperties false',
    ],
    [
      'values of dictionaries',
      { additionalProperties: { type: 'integer' }, propertyNames: { pattern: '^x' } },
      '@propertyNames (@pattern ^x) @additionalProperties (@type integer)',
    ],
    [
      'names by pattern',
      { patternProperties: { '^x': { minimum: 1 } } },
      '@patternProperties ^x (@minimum 1)',
    ],
    [
      'defaults, and the first example',
      { default: 1, examples: [{ a: 2 }, 3] },
      '@default 1 @example { a: 2 }',
    ],
    ['long examples, cut', { examples: ['x'.repeat(900)] }, `@example "${'x'.repeat(199)}…`],
    ['what it forbids', { not: { const: 'x' } }, '@not { const: "x" }'],
  ];
  for (const [what, schema, comment] of constraints) {
    it(`says in comments ${what}`, () => {
      const inner =
        '~standard' in schema ? z.object({ a: schema as z.ZodInt }) : { properties: { a: schema } };
      const text = describeTools(withInput(inner));
      assert.equal(/^ {4}\/\*\* (.*) \*\/$/m.exec(text)?.[1], comment);
      assert.deepEqual(problems(text), []);
    });
  }

  it('says what holds for input and output as a whole, of types by name, and of the tool', () => {
    const text = describeTools({
      t: {
        description: 'Does.',
        maxCalls: 3,
        inputSchema: { type: 'object', description: 'In.', minProperties: 1, additionalProperties: false },
        outputSchema: {
          description: 'Out.',
          type: 'array',
          items: { $ref: '#/$defs/one' },
          $defs: { one: { type: 'integer', description: 'One.' } },
        },
        execute,
      },
      once: { maxCalls: 1, execute },
      never: { maxCalls: 0, execute },
    });
    assert.equal(
      text.split('\n').slice(2).join('\n'),
      `/** One. @type integer */
type TOne = number;
declare const tools: {
  /**
   * Does.
   * At most 3 calls.
   * @param input In. @minProperties 1 @additionalProperties false
   * @returns Out.
   */
  t(input?: Record<string, never>): Promise<TOne[]>;
  /** At most 1 call. */
  once(input?: Record<string, unknown>): Promise<any>;
  /** May not be called. */
  never(input?: Record<string, unknown>): Promise<any>;
};
`,
    );
    assert.deepEqual(problems(text), []);
  });

  it("declares with mode 'inspect' the tools that read, and no others", () => {
    const reading: ToolSet = { reads: { effect: 'read', execute } };
    const all: ToolSet = { ...reading, bare: () => 1, writes: { effect: 'write', execute } };
    assert.equal(describeTools(all, { mode: 'inspect' }), describeTools(reading));
    assert.equal(describeTools(all, { mode: 'apply' }), describeTools(all));
    assert.throws(() => describeTools(all, { mode: 'read' as never }), {
      name: 'InvalidOptionError',
      message: /must be 'inspect' or 'apply'/,
    });
  });

  it('lets no text out of its comment or its quotes', () => {
    const evil = '*/ };\r\ndeclare const pwned: 1;\u2028/* `$' + '{x}` \u0000 \\';
    const schema = {
      type: 'object',
      properties: {
        [evil]: { type: 'string', description: evil, format: evil, default: evil },
        b: { enum: [evil, { [evil]: 1 }] },
        c: { $ref: '#/$defs/*~1%20evil' },
      },
      $defs: { '*/ evil': { type: 'string', description: evil } },
    };
    const text = describeTools({
      [evil.replace('\0', '')]: { description: evil, inputSchema: schema, execute },
    });
    assert.deepEqual(problems(text), []);
    const source = ts.createSourceFile('/a.ts', text, ts.ScriptTarget.ES2022, true);
    const declared = source.statements.map((statement) => ts.SyntaxKind[statement.kind]);
    assert.deepEqual(
      declared.filter((kind) => kind !== 'TypeAliasDeclaration'),
      ['FirstStatement'],
    );
    assert.ok(!text.includes('\0') && !text.includes('\u2028'));
  });

  it('declares tools of any name', () => {
    const names = [
      'a-b',
      'a_b',
      'delete',
      '3d',
      'constructor',
      'github.list',
      'new',
      'get',
      '__proto__',
      '日本',
      '"',
      '\n',
    ];
    const entries = names.map((name): [string, Tool] => [
      name,
      {
        inputSchema: { properties: { x: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'string' } } },
        execute,
      },
    ]);
    const text = describeTools(Object.fromEntries(entries));
    const uses = names.map((name) => `tools[${JSON.stringify(name)}]({ x: 'a' })`).join('; ');
    assert.deepEqual(problems(text, uses), []);
  });

  it('writes what JSON has no type for as unknown, and keeps the rest', () => {
    const inputSchema = z.object({ at: z.date(), n: z.number() });
    assert.match(describeTools(withInput(inputSchema)), /\{ at: unknown; n: number \}/);
    const ark = type({ at: 'Date', n: 'number' });
    assert.deepEqual(problems(describeTools(withInput(ark))), []);
  });

  it('takes the input of an input schema, and the output of an output schema', () => {
    const schema = z.object({ a: z.number().default(1) });
    const text = describeTools({ t: { inputSchema: schema, outputSchema: schema, execute } });
    assert.match(text, /t\(input\?: \{[^}]*a\?: number;[^}]*\}\): Promise<\{[^}]*a: number;/);
  });

  it('reads the wrappers of the AI SDK', () => {
    const wrapper = {
      [Symbol.for('vercel.ai.schema')]: true,
      _type: 0,
      jsonSchema: { properties: { a: { type: 'string' } } },
    };
    assert.equal(inputType(wrapper), '{ a?: string }');
    const promised = { ...wrapper, jsonSchema: Promise.resolve({}) };
    assert.equal(inputType(promised), 'Record<string, unknown>');
  });

  describe('maxBytes', () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, i): [string, Tool] => [
        `tool.${i}`,
        { description: `Does ${i}.`, execute },
      ]),
    );

    it('leaves whole tools out, says which, and still type-checks', () => {
      for (let maxBytes = 512; maxBytes < 4096; maxBytes += 97) {
        const text = describeTools(many, { maxBytes });
        assert.ok(Buffer.byteLength(text) <= maxBytes, `${Buffer.byteLength(text)} of ${maxBytes}`);
        const declared = text.match(/^ {2}"tool\.\d+"/gm)?.length ?? 0;
        const left = Number(/Left out for length: (\d+) tools?/.exec(text)?.[1] ?? 0);
        assert.equal(declared + left, 40);
        if (left > 0) assert.match(text, /Left out for length: \d+ tools? \("tool\.\d+"/);
      }
      assert.deepEqual(problems(describeTools(many, { maxBytes: 1024 })), []);
    });

    it('names what is left out as far as there is room', () => {
      const big = { type: 'object', properties: { a: { description: 'x'.repeat(1000) } } };
      const text = describeTools(
        { a: () => 1, big: { inputSchema: big, execute }, c: () => 1 },
        { maxBytes: 600 },
      );
      assert.match(text, /^ {2}a\(/m);
      assert.match(text, /^ {2}c\(/m);
      assert.match(text, /^ {2}\/\/ Left out for length: 1 tool \(big\)\.$/m);
    });

    it('changes nothing where everything fits', () => {
      const whole = describeTools(many);
      assert.equal(describeTools(many, { maxBytes: Buffer.byteLength(whole) }), whole);
    });
  });

  it('declares nothing for no tools', () => {
    assert.deepEqual(problems(describeTools({})), []);
  });

  it('refuses what run() refuses, and options that it does not have', () => {
    assert.throws(() => describeTools({ a: 1 as never }), { name: 'InvalidToolError' });
    assert.throws(() => describeTools({}, { maxByte: 1 } as never), {
      name: 'InvalidOptionError',
      message: /describeTools\(\) has no option "maxByte": did you mean maxBytes\?/,
    });
    assert.throws(() => describeTools({}, { maxBytes: 100 }), { message: /from 512 upward/ });
  });
});
