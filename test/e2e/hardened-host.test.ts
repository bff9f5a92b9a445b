import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const PROGRAM = `
  import { createPool } from 'wardenpool';
  const pool = await createPool({ threads: 1 });
  const run = await pool.run('return 42');
  console.log(run.value);
  await pool.close();
`;

/** Limits that hardened hosts set for their services. */
const HARDENED = [
  'ulimit -c 0',
  'ulimit -n 256',
  'ulimit -f 1000',
  'ulimit -l 0',
  'ulimit -s 1024',
  'umask 777',
];

describe('on a hardened host', () => {
  for (const limit of HARDENED) {
    it(`runs programs after ${limit}`, async () => {
      const { stdout } = await execute(
        'bash',
        ['-c', `${limit} && exec "$@"`, 'bash', process.execPath, '--input-type=module', '-e', PROGRAM],
        { cwd: ROOT, timeout: 30_000 },
      );
      assert.equal(stdout, '42\n');
    });
  }
});
