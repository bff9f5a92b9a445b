/** The programs that are measured: the body of an async function, with `tools`, as a model would write it. */
import { isDeepStrictEqual } from 'node:util';

export interface Workload {
  readonly name: string;
  readonly program: string;
  /** What the program returns. */
  readonly answer: unknown;
}

/** Every workload's tools. */
export const TOOLS = {
  'math.double': ({ value }: { value: number }) => ({ value: value * 2 }),
  'text.echo': ({ text }: { text: string }) => ({ text }),
};

/** Wall time of every run, ms: the default of `createPool()`. */
export const TIMEOUT_MS = 60_000;

const LARGE = 262_144;

export const NO_CALL: Workload = { name: 'no call', program: 'return 6 * 7;', answer: 42 };

export const ONE_CALL: Workload = {
  name: '1 call',
  program: "return (await tools['math.double']({ value: 21 })).value;",
  answer: 42,
};

export const TEN_CALLS: Workload = {
  name: '10 calls, one by one',
  program: `let sum = 0;
for (let value = 1; value <= 10; value++) sum += (await tools['math.double']({ value })).value;
return sum;`,
  answer: 110,
};

export const TEN_PARALLEL_CALLS: Workload = {
  name: '10 calls, parallel',
  program: `const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const doubled = await Promise.all(values.map((value) => tools['math.double']({ value })));
return doubled.reduce((sum, { value }) => sum + value, 0);`,
  answer: 110,
};

/** A quarter of a megabyte to a tool, back again, and out as the result. */
export const LARGE_PAYLOAD: Workload = {
  name: '1 call, 256 KB',
  program: `return (await tools['text.echo']({ text: 'x'.repeat(${LARGE}) })).text;`,
  answer: 'x'.repeat(LARGE),
};

export const WORKLOADS = [NO_CALL, ONE_CALL, TEN_CALLS, TEN_PARALLEL_CALLS, LARGE_PAYLOAD];

/** @throws if the answer is not the workload's. */
export function checkAnswer(subject: string, { name, answer }: Workload, value: unknown): void {
  if (isDeepStrictEqual(value, answer)) return;
  const said = JSON.stringify(value) ?? String(value);
  throw new Error(`${subject} answered ${said.slice(0, 200)} to "${name}"`);
}
