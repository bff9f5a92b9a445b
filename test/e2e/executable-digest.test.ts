/** The digest of the executable in a receipt is that of the file, and the one that the build wrote down and said. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPool } from 'wardenpool';
import { readOnly, spawnIsolated } from 'wardenpool/executor';

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('the digest of what was executed', () => {
  it('is that of the launcher, for a program: of the file, of SHA256SUMS, of the receipt', async () => {
    const pool = await createPool();
    try {
      const { executable } = (await pool.run('return 1;')).receipt;
      assert.equal(executable.digest, digestOf(executable.path));
      const digests = readFileSync(join(dirname(executable.path), 'SHA256SUMS'), 'utf8').split('\n');
      assert.ok(digests.includes(`${executable.digest}  wardenpool-launcher`), digests.join('\n'));
    } finally {
      await pool.close();
    }
  });

  it('is that of the command, for a command', async () => {
    const { receipt } = await spawnIsolated(['/usr/bin/true'], { policy: readOnly() }).wait();
    assert.equal(receipt.executable.digest, digestOf(receipt.executable.path));
  });

  it('is what SHA256SUMS says of each native file', () => {
    const folder = new URL('../../build/Release/', import.meta.url);
    const lines = readFileSync(new URL('SHA256SUMS', folder), 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.slice(66)),
      ['code-runner', 'wardenpool-launcher', 'wardenpool.node'],
    );
    for (const line of lines)
      assert.equal(line.slice(0, 64), digestOf(new URL(line.slice(66), folder).pathname));
  });
});
