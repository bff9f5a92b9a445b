/** An application that has put something enumerable on Object.prototype, as some old libraries do: its pools work as ever. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Time enough for a call to be made on a busy machine: it is counted. */
const CALL_MS = 2_000;

const extend = (value: string) => `Object.prototype.foo = ${value};`;

/** One slot, so that a run that loses it is noticed by the next. Prints what each came to. */
const HOST = (before: string, after: string) => `
  import { Registry } from 'prom-client';
  import { createPool } from 'wardenpool';
  ${before}
  const registry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const limits = { memoryBytes: 8_388_608 };
  const pool = await createPool({ threads: 1, concurrency: 1, warm: { min: 1, max: 1 }, limits, registry });
  ${after}
  const tools = { double: { execute: ({ value }) => value * 2, effect: 'read' }, never: () => new Promise(() => {}) };
  const ends = [];
  const end = async (run) => ends.push(await run.then((run) => run.ok ? run.value : run.error.kind, (error) => error.name));
  await end(pool.run('return 1'));
  await end(pool.run('console.log({}); return tools.double({ value: 21 })', tools, { labels: { a: 'b' }, limits: { timeoutMs: 9000 } }));
  await end(pool.run('throw new Error()'));
  await end(pool.run('await tools.never()', tools, { limits: { timeoutMs: ${CALL_MS} } }));
  await end(pool.run('return 1', {}, { resultSchema: { type: 'number' } })); // ajv cannot do with it: that is said
  const controller = new AbortController();
  const abort = () => { controller.abort(); return new Promise(() => {}); };
  const aborted = pool.run('await tools.abort()', { abort }, { signal: controller.signal });
  const waiting = pool.run('await tools.never()', tools, { signal: controller.signal });
  await end(aborted);
  await end(waiting);
  await pool.drain();
  const counted = /^wardenpool_executions_total{outcome="(?!aborted).*[1-9]$|^wardenpool_tool_call_duration_seconds_count .*|^wardenpool_executions_queued.*/gm;
  const metrics = (await pool.registry.metrics()).match(counted);
  await pool.close({ timeoutMs: 5000 });
  console.log(JSON.stringify({ ends, metrics }));
`;

describe('a host with something enumerable on Object.prototype', () => {
  for (const [when, before, after] of [
    ['a number, before it makes its pool', extend('1'), ''],
    ['a function, before it makes its pool', extend('() => 1'), ''],
    ['a number, once it has its pool', '', extend('1')],
    ['a function, once it has its pool', '', extend('() => 1')],
  ] as const) {
    it(`has each run settled, and counted: ${when}`, async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '--eval', HOST(before, after)],
        { cwd: ROOT, timeout: 45_000 },
      );
      assert.deepEqual(JSON.parse(stdout), {
        ends: [1, 42, 'javascript', 'timeout', 'InvalidOptionError', 'AbortError', 'AbortError'],
        metrics: [
          'wardenpool_executions_total{outcome="ok"} 2',
          'wardenpool_executions_total{outcome="timeout"} 1',
          'wardenpool_executions_total{outcome="javascript"} 1',
          'wardenpool_tool_call_duration_seconds_count 3',
          'wardenpool_executions_queued 0',
        ],
      });
    });
  }
});
