// What TypeScript infers, tried by the type check alone: nothing here runs.
import { type } from 'arktype';
import * as v from 'valibot';
import { type JsonValue, type Pool, type RunResult, type Tool, type ToolSet, tool } from 'wardenpool';
import { z } from 'zod';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function expectType<Expected>() {
  return <Actual>(_actual: Actual, ..._proof: Same<Actual, Expected> extends true ? [] : [never]): void => {};
}

// The input is the output of its schema: after defaults and transforms.
tool({
  inputSchema: z.object({ id: z.string(), limit: z.number().default(10) }),
  execute(input, { signal }) {
    expectType<{ id: string; limit: number }>()(input);
    expectType<AbortSignal>()(signal);
  },
});
tool({
  inputSchema: v.object({ id: v.pipe(v.string(), v.transform(Number)) }),
  execute: (input) => expectType<{ id: number }>()(input),
});
tool({
  inputSchema: type({ id: 'string', 'n?': 'number' }),
  execute: (input) => expectType<{ id: string; n?: number }>()(input),
});

// The output is what the schema says, and execute() is held to it.
const double = tool({
  inputSchema: z.object({ value: z.number() }),
  outputSchema: z.object({ value: z.number() }),
  execute: async ({ value }) => ({ value: value * 2 }),
});
expectType<Tool<{ value: number }, { value: number }>>()(double);
tool({
  outputSchema: z.object({ value: z.number() }),
  // @ts-expect-error: a text is no number.
  execute: () => ({ value: 'x' }),
});

// A schema of the AI SDK has its type with it.
declare const aiSdk: { readonly _type: { a: 1 }; readonly jsonSchema: object };
tool({ inputSchema: aiSdk, execute: (input) => expectType<{ a: 1 }>()(input) });

// A JSON Schema says nothing: the handler says what it expects.
interface JsonSchema7 {
  $schema?: string;
  type?: 'object' | 'string';
  properties?: Record<string, JsonSchema7>;
}
declare const typed: JsonSchema7;
const lookUp = tool({
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], 'x-mine': 1 },
  outputSchema: typed,
  execute: ({ id }: { id: string }) => ({ id, n: 1 }),
});
expectType<Tool<{ id: string }, { id: string; n: number }>>()(lookUp);

// Sets take all of them, and bare functions.
const set: ToolSet = { double, lookUp, bare: ({ a }: { a: number }) => a };

// A result has the type of its schema, or the caller's word.
declare const pool: Pool;
const tried = [
  pool.run('', set, { resultSchema: z.object({ n: z.number().transform(String) }) }),
  pool.run<{ mine: true }>(''),
  pool.run('', set, { resultSchema: { type: 'object' } }),
  pool.run('', set, { labels: { a: 'b' } }),
] as const;
expectType<
  readonly [
    Promise<RunResult<{ n: string }>>,
    Promise<RunResult<{ mine: true }>>,
    Promise<RunResult<JsonValue | undefined>>,
    Promise<RunResult<JsonValue | undefined>>,
  ]
>()(tried);
