// What `npm run test:matrix` says where it cannot run.
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('scripts/matrix.mjs', () => {
  let directory: string;

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'wardenpool-matrix-test-'));
    cpSync(join(root, 'scripts'), join(directory, 'scripts'), { recursive: true });
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  const runMatrix = (...args: string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, ['scripts/matrix.mjs', ...args], {
      cwd: directory,
      encoding: 'utf8',
      env: {
        ...process.env,
        // Nobody listens on port 1, and an empty cache has nothing to install without asking.
        npm_config_registry: 'http://127.0.0.1:1/',
        npm_config_cache: join(directory, 'cache'),
        npm_config_fetch_retries: '0',
      },
      timeout: 50_000,
    });

  it('fails where a version of Node.js cannot be installed, and says from where it comes and what to do', () => {
    const { status, stderr } = runMatrix('--node', '22');
    assert.equal(status, 1);
    assert.match(
      stderr,
      /there is no Node\.js 22 to run: .*npm's registry.* delete build\/node-versions, and try again/,
    );
    assert.match(stderr, /ECONNREFUSED/);
  });

  it('refuses a version that is not pinned, and names those that are', () => {
    const { status, stderr } = runMatrix('--node', '18');
    assert.equal(status, 1);
    assert.match(stderr, /there is no Node\.js '18'; there are 20, 22, 24/);
  });
});
