// What the set-up script says on a machine where something is missing and where it may not install: a copy of it runs
// with a PATH on which only Node is.
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('scripts/setup.mjs where tools are missing', () => {
  let directory: string;
  let run: SpawnSyncReturns<string>;

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'wardenpool-setup-test-'));
    for (const path of ['scripts', 'package.json', 'package-lock.json']) {
      cpSync(join(root, path), join(directory, path), { recursive: true });
    }
    mkdirSync(join(directory, 'bin'));
    symlinkSync(process.execPath, join(directory, 'bin/node'));
    run = spawnSync(process.execPath, ['scripts/setup.mjs'], {
      cwd: directory,
      encoding: 'utf8',
      env: { PATH: join(directory, 'bin') },
      timeout: 30_000,
    });
  });

  after(() => rmSync(directory, { recursive: true, force: true }));

  it('fails', () => assert.equal(run.status, 1));

  it('names everything that is missing at once', () => {
    for (const tool of [
      /a C compiler/,
      /a C\+\+ compiler/,
      /make/,
      /python3/,
      /wasm2c/,
      /bwrap/,
      /socat/,
      /strace/,
      /promtool/,
    ]) {
      assert.match(run.stderr, tool);
    }
  });

  it('says the command that installs it', () => {
    const packages = 'bubblewrap g\\+\\+ gcc libc6-dev make prometheus python3 socat strace wabt';
    assert.match(run.stderr, new RegExp(`apt-get install -y --no-install-recommends ${packages}`));
  });

  it('has installed and built nothing', () => {
    assert.equal(existsSync(join(directory, 'node_modules')), false);
    assert.equal(existsSync(join(directory, 'build')), false);
  });
});
