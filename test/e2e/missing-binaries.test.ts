/** A package whose native part was never built: it can be imported, and whatever is asked of it says what is missing, and what to do. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('without binaries', () => {
  let copy: string;
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'wardenpool-unbuilt-'));
    for (const part of ['package.json', 'dist'])
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true }));

  for (const args of [
    ['exec', '-'],
    ['run', '--', 'true'],
    ['run', '--backend', 'bubblewrap', '--', 'true'],
    ['run', '--backend', 'posix', '--', 'true'],
  ])
    it(`wardenpool ${args.join(' ')} says so in one line`, () => {
      const { status, stderr } = spawnSync(process.execPath, [join(copy, 'dist/cli/main.js'), ...args], {
        input: 'return 1',
        encoding: 'utf8',
      });
      assert.equal(status, 125);
      assert.match(stderr, /^wardenpool: [^\n]*\n$/);
      assert.match(
        stderr,
        /the native addon could not be loaded on \S+ with glibc [0-9.]+: [^\n]*this package has no binaries for it: build them/,
      );
    });
});
