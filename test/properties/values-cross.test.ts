// Any JSON value crosses the boundary unchanged: as a result, as an argument of a tool and as its result. Many values in
// each run, as it is the values that differ.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPool, type Pool } from 'wardenpool';
import { asCarried, type Json, json } from './json-arbitrary.js';
import { parameters } from './parameters.js';

const RUNS = 12;
const VALUES_PER_RUN = 60;
/** A frame has at most 512 levels; of these the frame itself is one, and so are the arguments of a call. */
const RESULT_LEVELS = 511;
const ARGUMENT_LEVELS = 510;

const batch = fc.array(json, { minLength: VALUES_PER_RUN, maxLength: VALUES_PER_RUN });

/** An expression that makes the value inside the program. */
const literal = (value: Json): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;

/** Levels of arrays and objects, by turns. */
function nested(levels: number): Json {
  let value: Json = levels % 2 === 0 ? [] : {};
  for (let level = 1; level < levels; level++) value = level % 3 === 0 ? { a: value } : [value];
  return value;
}

describe('properties: values at the boundary', () => {
  let pool: Pool;
  before(async () => {
    pool = await createPool({ threads: 1 });
  });
  after(() => pool.close());

  it('a result arrives unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async (values) => {
        const run = await pool.run(`return ${literal(values)};`);
        assert.ok(run.ok, run.ok ? '' : run.error.message);
        assert.deepStrictEqual(run.value, asCarried(values));
      }),
      parameters(RUNS),
    );
  });

  it('an argument and the result of a tool arrive unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async (values) => {
        const text = JSON.stringify(values);
        let received: unknown;
        const run = await pool.run(
          `const { echoed } = await tools.echo({ values: ${literal(values)} });
           return JSON.stringify(echoed) === ${JSON.stringify(text)};`,
          {
            echo: (input: { values: Json }) => {
              received = input.values;
              return { echoed: input.values };
            },
          },
        );
        assert.deepStrictEqual(received, asCarried(values));
        assert.ok(run.ok, run.ok ? '' : run.error.message);
        assert.equal(run.value, true, 'the program got something else back');
      }),
      parameters(RUNS),
    );
  });

  it('the members of a value that the program itself makes arrive unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async (values) => {
        // Not by the engine's JSON: each member defined one by one, each string from its code units.
        const make = (value: Json): string => {
          if (typeof value === 'string') {
            const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
            return `text(${units.join(',')})`;
          }
          if (typeof value === 'number') return Object.is(value, -0) ? '-0' : `(${value})`;
          if (typeof value !== 'object' || value === null) return String(value);
          if (Array.isArray(value)) return `[${value.map(make).join(',')}]`;
          return `{${Object.entries(value)
            .map(([key, member]) => `[${make(key)}]:${make(member)}`)
            .join(',')}}`;
        };
        const run = await pool.run(
          `const text = (...units) => String.fromCharCode(...units); return ${make(values)};`,
        );
        assert.ok(run.ok, run.ok ? '' : run.error.message);
        assert.deepStrictEqual(run.value, asCarried(values));
      }),
      parameters(RUNS),
    );
  });

  it('is nested as deeply as a frame may be, and no deeper', async () => {
    const depths = fc.integer({ min: RESULT_LEVELS - 5, max: RESULT_LEVELS + 5 });
    await fc.assert(
      fc.asyncProperty(depths, async (levels) => {
        const value = nested(levels);
        const run = await pool.run(`return ${literal(value)};`);
        assert.equal(run.ok, levels <= RESULT_LEVELS, `${levels} levels`);
        if (run.ok) assert.deepStrictEqual(run.value, value);
        else assert.equal(run.error.kind, 'result');
      }),
      parameters(20),
    );
  });

  it('is an argument as deeply nested as a frame may be, and no deeper', async () => {
    const depths = fc.integer({ min: ARGUMENT_LEVELS - 5, max: ARGUMENT_LEVELS + 5 });
    await fc.assert(
      fc.asyncProperty(depths, async (levels) => {
        const value = nested(levels);
        const received: unknown[] = [];
        const run = await pool.run(`await tools.take({ value: ${literal(value)} }); return 1;`, {
          take: (input: { value: Json }) => {
            received.push(input.value);
          },
        });
        assert.equal(run.ok, levels <= ARGUMENT_LEVELS, `${levels} levels`);
        assert.deepStrictEqual(received, run.ok ? [value] : []);
      }),
      parameters(20),
    );
  });
});
