/** A host that stands still for a while: what its program comes to meanwhile is told all the same. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Limits, RunError } from 'wardenpool';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** More than a runner waits after its end for a host that does not read, and than the host itself after a deadline. */
const STANDSTILL_S = 1.5;

/** Stops itself, threads and all, when the program says that it begins. */
const HOST = `
  import { spawn } from 'node:child_process';
  import { createPool } from 'wardenpool';
  const pool = await createPool({ threads: 1 });
  const begin = () => {
    spawn('sh', ['-c', 'sleep ${STANDSTILL_S}; kill -CONT ' + process.pid]);
    process.kill(process.pid, 'SIGSTOP');
  };
  const [, code, limits] = process.argv;
  const run = await pool.run(code, { begin }, { limits: JSON.parse(limits) });
  console.log(JSON.stringify(run.error ?? null));
  await pool.close();
`;

/** The program goes on once its host stands still; `then` fills the socket, and ends it. */
async function endOf(then: string, limits: Partial<Limits>): Promise<RunError | null> {
  const code = `tools.begin(); await new Promise((resolve) => setTimeout(resolve, 200)); ${then}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', HOST, code, JSON.stringify(limits)],
    { cwd: ROOT, timeout: 45_000 },
  );
  return JSON.parse(stdout) as RunError | null;
}

const FLOOD = 'for (let i = 0; i < 9000; i++) console.log(i);';

describe('a host that stands still while a flood of logs meets its end', () => {
  it('tells that it ran out of time', async () => {
    const error = await endOf('for (;;) console.log(1)', { timeoutMs: 600 });
    assert.equal(error?.kind, 'timeout');
  });

  it('tells that it used up its CPU time', async () => {
    const error = await endOf('for (;;) console.log(1)', { cpuMs: 200 });
    assert.deepEqual([error?.kind, error?.code], ['timeout', 'CPU_TIME_EXCEEDED']);
  });

  it('tells that it made too many tool calls', async () => {
    const error = await endOf(`${FLOOD} tools.begin()`, { maxToolCalls: 1 });
    assert.deepEqual([error?.kind, error?.code], ['limit', 'TOOL_CALL_LIMIT_EXCEEDED']);
  });

  it('tells that it threw', async () => {
    const error = await endOf(`${FLOOD} throw new Error('at the end')`, {});
    assert.deepEqual([error?.kind, error?.message], ['javascript', 'at the end']);
  });
});
