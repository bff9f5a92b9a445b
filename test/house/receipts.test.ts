// Receipts that tests are given are held against the published schema, in whatever test: one that is invalid fails it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('the check of receipts', () => {
  it('fails the test that is given an invalid one', () => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['node_modules/mocha/bin/mocha.js', '--reporter', 'spec', 'test/support/invalid-receipt.ts'],
      { cwd: ROOT, encoding: 'utf8', timeout: 50_000 },
    );
    assert.notEqual(status, 0, stderr);
    assert.match(stdout, /1\) that is given an invalid receipt/);
    assert.match(stdout, /not a receipt by its schema:/);
    assert.match(stdout, /must have required property 'executionId'/);
  });
});
