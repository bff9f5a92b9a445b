// wardenpool in a strict TypeScript project: what a tool is given and gives follows from its schemas, and what a run gives from
// its own. `npm run test:package` checks it against the packed package, and runs it.
import { createPool, type RunResult, type ToolSet, tool } from 'wardenpool';
import { readOnly, spawnIsolated } from 'wardenpool/executor';
import { z } from 'zod';

const tools = {
  'stock.level': tool({
    description: 'How many there are of an article.',
    effect: 'read',
    inputSchema: z.object({ article: z.string() }),
    outputSchema: z.object({ count: z.number() }),
    // `article` is a string here, and the result must have a number `count`.
    execute: ({ article }) => ({ count: article.length }),
  }),
} satisfies ToolSet;

const Report = z.object({ article: z.string(), count: z.number() });

async function report(article: string): Promise<string> {
  await using pool = await createPool({ threads: 1, limits: { timeoutMs: 5_000 } });
  const run: RunResult<z.infer<typeof Report>> = await pool.run(
    `return { article: ${JSON.stringify(article)}, ...await tools['stock.level']({ article: ${JSON.stringify(article)} }) }`,
    tools,
    { resultSchema: Report },
  );
  if (!run.ok) throw new Error(`${run.error.kind}: ${run.error.message}`);
  return `${run.value.count.toFixed(0)} of ${run.value.article}`;
}

async function list(): Promise<string> {
  const execution = spawnIsolated(['true'], { policy: readOnly() });
  execution.protocol.resume();
  const { returncode } = await execution.wait();
  return `true: ${returncode}`;
}

console.log(await report('screws'));
console.log(await list());
