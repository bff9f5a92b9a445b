import assert from 'node:assert/strict';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { SchemaProblem, schemaCheck } from '../../src/tools/schema-check.js';
import { type Checked, problemsText } from '../../src/tools/schema-problem.js';

const AI_SDK = Symbol.for('vercel.ai.schema');
const aiSdk = (members: object) => ({ [AI_SDK]: true, _type: undefined, validate: undefined, ...members });

async function check(schema: unknown, value: unknown): Promise<Checked> {
  return schemaCheck(schema).check(value);
}

/** The output, or the text of what is wrong. */
async function outcome(schema: unknown, value: unknown): Promise<unknown> {
  const checked = await check(schema, value);
  return checked.ok ? checked.value : problemsText(checked.problems);
}

const order = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    items: { type: 'array', items: { type: 'object', properties: { total: { type: 'number' } } } },
    currency: { enum: ['EUR', 'USD'], default: 'EUR' },
  },
  required: ['id'],
  additionalProperties: false,
};

describe('tools: JSON Schemas', () => {
  it('pass what fits, with defaults filled in', async () => {
    assert.deepEqual(await outcome(order, { id: 1 }), { id: 1, currency: 'EUR' });
  });

  it('convert nothing', async () => {
    assert.equal(await outcome(order, { id: '1' }), '$.id: must be integer');
  });

  it('say every problem, each with its place', async () => {
    const value = { items: [{ total: 'x' }], currency: 'DM', extra: 1 };
    const text = String(await outcome(order, value));
    for (const problem of [
      '$.id: is required',
      '$.extra: is not a property of the schema',
      '$.items[0].total: must be number',
      '$.currency: must be one of "EUR", "USD"',
    ]) {
      assert.ok(text.includes(problem), text);
    }
    assert.equal(text.split('; ').length, 4);
  });

  it('bound what they say', async () => {
    const schema = { type: 'object', additionalProperties: { type: 'number' } };
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}${'x'.repeat(500)}`, 'no']));
    const text = String(await outcome(schema, many));
    assert.match(text, /; and 895 more$/);
    assert.ok(text.length < 5 * 520);
  });

  it('look for no further problem in a large value', async () => {
    const schema = { type: 'array', items: { type: 'number' } };
    assert.equal(await outcome(schema, new Array(2000).fill('x')), '$[0]: must be number');
  });

  it('do not try a pattern on a text that its maxLength refuses', async () => {
    // Catastrophic: 40 characters of it take years.
    const schema = { type: 'string', maxLength: 10, pattern: '^(a+)+$' };
    assert.equal(await outcome(schema, `${'a'.repeat(40)}!`), '$: must NOT have more than 10 characters');
  });

  it('compare unique items in linear time', async () => {
    const schema = { type: 'array', uniqueItems: true };
    const items = Array.from({ length: 100_000 }, (_, a) => ({ a, b: [a] }));
    assert.equal(await outcome(schema, items), items);
    assert.equal(
      await outcome(schema, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
      '$: must have no two equal items',
    );
  });

  it('find no required member in a prototype', async () => {
    const schema = { type: 'object', required: ['constructor', '__proto__'] };
    assert.match(String(await outcome(schema, {})), /^\$\.constructor: is required/);
    assert.ok((await check(schema, JSON.parse('{"constructor":1,"__proto__":2}'))).ok);
  });

  it('are of draft 2020-12', async () => {
    const schema = { type: 'array', prefixItems: [{ type: 'number' }], items: false };
    assert.ok((await check(schema, [1])).ok);
    assert.ok(!(await check(schema, [1, 2])).ok);
    assert.ok(!(await check(schema, ['a'])).ok);
  });

  for (const $schema of [
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-06/schema',
    'https://json-schema.org/draft/2019-09/schema',
  ]) {
    it(`are of ${$schema} where they say so`, async () => {
      const schema = {
        $schema,
        definitions: { n: { type: 'number' } },
        type: 'array',
        items: [{ $ref: '#/definitions/n' }],
        additionalItems: false,
      };
      assert.ok((await check(schema, [1])).ok);
      assert.ok(!(await check(schema, [1, 2])).ok);
      assert.ok(!(await check(schema, ['a'])).ok);
    });
  }

  it('take keywords and formats that nobody knows as annotations', async () => {
    assert.ok((await check({ type: 'string', 'x-order': 1, example: 'a', format: 'colour' }, 'a')).ok);
  });

  it('check formats', async () => {
    const schema = { type: 'string', format: 'email' };
    assert.ok((await check(schema, 'ada@example.org')).ok);
    assert.equal(await outcome(schema, 'ada'), '$: must match format "email"');
  });

  it('do not meet, though they have one $id', async () => {
    assert.ok((await check({ $id: 'https://x.example/a', type: 'string' }, 'a')).ok);
    assert.ok((await check({ $id: 'https://x.example/a', type: 'number' }, 1)).ok);
  });

  it('are compiled once for each object', () => {
    const schema = { type: 'object' };
    assert.equal(schemaCheck(schema), schemaCheck(schema));
  });

  it('write places with indices and quoted keys', async () => {
    const schema = {
      properties: { 'a/b~c': { items: { type: 'number' } }, o: { properties: { 0: { type: 'number' } } } },
    };
    assert.equal(await outcome(schema, { 'a/b~c': ['x'] }), '$["a/b~c"][0]: must be number');
    assert.equal(await outcome(schema, { o: { 0: 'x' } }), '$.o["0"]: must be number');
  });
});

describe('tools: Standard Schemas', () => {
  const schemas: [string, unknown][] = [
    [
      'zod',
      z.object({
        id: z.number(),
        at: z
          .string()
          .default('now')
          .transform((at) => at.toUpperCase()),
      }),
    ],
    [
      'valibot',
      v.object({
        id: v.number(),
        at: v.pipe(
          v.optional(v.string(), 'now'),
          v.transform((at) => at.toUpperCase()),
        ),
      }),
    ],
    [
      'arktype',
      type({
        id: 'number',
        at: type('string')
          .pipe((at) => at.toUpperCase())
          .default('now'),
      }),
    ],
  ];
  for (const [vendor, schema] of schemas) {
    it(`of ${vendor} give their output`, async () => {
      assert.deepEqual({ ...((await outcome(schema, { id: 1 })) as object) }, { id: 1, at: 'NOW' });
    });

    it(`of ${vendor} say where and why`, async () => {
      assert.match(String(await outcome(schema, { id: 'x' })), /^\$\.id: .*number/);
    });
  }

  it('may be asynchronous', async () => {
    const schema = z.string().refine(async (text) => text === 'a', 'is not a');
    assert.equal(await outcome(schema, 'a'), 'a');
    assert.equal(await outcome(schema, 'b'), '$: is not a');
  });

  it('may throw, which is passed on', async () => {
    const schema = z.string().transform(() => {
      throw new RangeError('mine');
    });
    await assert.rejects(check(schema, 'a'), { name: 'RangeError', message: 'mine' });
  });

  it('may have issues without a path, and with segments', async () => {
    const issues = [{ message: 'no' }, { message: 'why', path: [{ key: 'a' }, 0, Symbol('s')] }];
    const schema = { '~standard': { version: 1, vendor: 'own', validate: () => ({ issues }) } };
    assert.equal(await outcome(schema, 1), '$: no; $.a[0]["Symbol(s)"]: why');
  });
});

describe('tools: schemas of the AI SDK', () => {
  it('check by their JSON Schema, of draft-07', async () => {
    const schema = aiSdk({
      jsonSchema: { type: 'array', items: [{ type: 'number' }], additionalItems: false },
    });
    assert.ok((await check(schema, [1])).ok);
    assert.ok(!(await check(schema, [1, 2])).ok);
  });

  it('check by a promise of it', async () => {
    const schema = aiSdk({ jsonSchema: Promise.resolve({ type: 'number' }) });
    assert.ok((await check(schema, 1)).ok);
    assert.equal(await outcome(schema, 'x'), '$: must be number');
  });

  it('check by their own function, where they have one', async () => {
    const validate = (value: unknown) =>
      value === 1 ? { success: true, value: 'one' } : { success: false, error: new Error('is not 1') };
    const schema = aiSdk({ jsonSchema: { type: 'string' }, validate });
    assert.equal(await outcome(schema, 1), 'one');
    assert.equal(await outcome(schema, 2), '$: is not 1');
    const later = aiSdk({ jsonSchema: {}, validate: async (value: unknown) => validate(value) });
    assert.equal(await outcome(later, 1), 'one');
  });

  it('say the places of a validation error that has issues', async () => {
    const result = z.object({ a: z.number() }).safeParse({ a: 'x' });
    const schema = aiSdk({ jsonSchema: {}, validate: () => ({ success: false, error: result.error }) });
    assert.match(String(await outcome(schema, 1)), /^\$\.a: /);
  });
});

function cyclic(): object {
  const schema = { type: 'object', properties: {} as Record<string, object> };
  schema.properties['child'] = { anyOf: [{ type: 'null' }, schema] };
  return schema;
}

function nested(depth: number): object {
  let schema: object = {};
  for (let i = 0; i < depth; i++) schema = { items: schema };
  return schema;
}

describe('tools: what is no schema', () => {
  it('is not what has one object in several places', () => {
    const id = { type: 'integer' };
    schemaCheck({ type: 'object', properties: { a: id, b: id, c: { items: id } } });
  });

  const refused: [string, unknown, RegExp][] = [
    ['null', null, /^is null: pass a JSON Schema/],
    ['true', true, /^is true/],
    ['a function', () => 1, /^is a function that is no schema/],
    ['an instance', new Date(), /^is an instance of a class that is no schema/],
    ['an object of schemas', { id: z.string() }, /^is an object of schemas \("id" is one\).*z\.object/],
    ['an object of arktype schemas', { id: type('string') }, /^is an object of schemas/],
    [
      'properties without a schema around them',
      { id: { type: 'string' } },
      /^is no JSON Schema: it has id, .*properties/,
    ],
    ['an object that contains itself', cyclic(), /^is a cyclic object, .*\{ \$ref: "#" \}/],
    ['one that is nested too deeply', nested(50_000), /^cannot be read: it is nested too deeply/],
    ['an unknown type', { type: 'text' }, /^is no JSON Schema: \/type must be equal to one of/],
    ['a property that is no schema', { properties: { a: 'string' } }, /^is no JSON Schema: \/properties\/a/],
    ['a reference to nothing', { $ref: '#/$defs/a' }, /^cannot be compiled: can't resolve reference/],
    ['a reference to elsewhere', { $ref: 'https://x.example/a' }, /^cannot be compiled: can't resolve/],
    ['an invalid pattern', { type: 'string', pattern: '(' }, /regular expression|pattern/],
    ['an asynchronous schema of ajv', { $async: true, type: 'string' }, /\$async is no keyword/],
    [
      'draft-04',
      { $schema: 'http://json-schema.org/draft-04/schema#', type: 'string' },
      /^has the \$schema .*: there are draft 2020-12, 2019-09, draft-07 and draft-06/,
    ],
    ['a later version of Standard Schema', { '~standard': { version: 2, validate: () => 1 } }, /version/],
    ['one of the AI SDK without a schema', aiSdk({ jsonSchema: 1 }), /jsonSchema 1: it must be an object/],
  ];
  for (const [what, schema, message] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => schemaCheck(schema),
        (error) => error instanceof SchemaProblem && message.test(error.message),
      );
    });
  }
});
