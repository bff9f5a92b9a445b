import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A megabyte of JSON that parses to some 25 MB of objects, as the arguments of call after call. */
const HOST = `
  import { createPool } from 'wardenpool';
  const pool = await createPool({ threads: 1 });
  const program = \`
    const a = Array(349000).fill({});
    for (let call = 0; call < 10; call++) await tools.t({ a });
    return 'done';
  \`;
  const run = await pool.run(program, { t: () => 1 });
  console.log(run.ok ? run.value : run.error.message, run.toolCalls.length);
  await pool.close();
`;

describe('memory of the host', () => {
  it('does not grow by what the arguments of a program’s calls are as objects', async () => {
    const { stdout } = await execute(
      process.execPath,
      ['--max-old-space-size=300', '--input-type=module', '-e', HOST],
      { cwd: ROOT, timeout: 50_000 },
    );
    assert.equal(stdout, 'done 10\n');
  });
});
