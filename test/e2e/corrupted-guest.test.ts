/** A pool whose programs can corrupt their engine: what a caller is told is honest, and the pool goes on. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Programs that break their engine, and one that works, again and again in the same pool. */
const CODES = {
  outside: 'return corrupt.load8_farthest(0xffffffff);',
  noise: 'corrupt.fill(0, 0x41, corrupt.pages() * 65536); return [1].map(String);',
  call: 'return corrupt.call_unheard_of(3);',
  hostile: 'return corrupt.import_random_get(0xfffffff0, 64);',
  forged: 'return corrupt.forge(-1, 0xfffffff0).a;',
  spin: 'corrupt.store32(corrupt.address({}), 3); for (;;);',
};

const HOST = `
  import { createPool } from 'wardenpool';
  const pool = await createPool({ threads: 1 });
  const ends = {};
  for (const [name, code] of Object.entries(${JSON.stringify(CODES)})) {
    const run = await pool.run(code, {}, { limits: { timeoutMs: 500 } });
    ends[name] = run.ok ? 'ok' : run.error.kind;
    const next = await pool.run('return 6 * 7');
    if (next.value !== 42) throw new Error('the pool does not go on');
  }
  await pool.close();
  console.log(JSON.stringify(ends));
`;

describe('a corrupted guest in a pool', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'wardenpool-corrupt-'));
    const release = join(folder, 'build/Release');
    mkdirSync(release, { recursive: true });
    copyFileSync(join(ROOT, 'build/Release/wardenpool.node'), join(release, 'wardenpool.node'));
    copyFileSync(join(ROOT, 'build/Release/corrupt-launcher'), join(release, 'wardenpool-launcher'));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is told apart from a program that works, and the next program is none the worse', async () => {
    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', HOST], {
      cwd: ROOT,
      timeout: 60_000,
      // Of node-gyp-build: where the addon, and what is executed with it, is loaded from.
      env: { ...process.env, WARDENPOOL_PREBUILD: folder },
    });
    assert.deepEqual(JSON.parse(stdout), {
      outside: 'javascript',
      noise: 'javascript',
      call: 'javascript',
      hostile: 'javascript',
      forged: 'javascript',
      spin: 'timeout',
    });
  });
});
