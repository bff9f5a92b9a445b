import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { InvalidOptionError, readOnly, spawnIsolated } from 'wardenpool/executor';

describe('descriptors that a command is to have', () => {
  it('refuses a directory, which would lead out of the sandbox', () => {
    const directory = openSync('/', 'r');
    try {
      assert.throws(
        () => spawnIsolated(['true'], { policy: readOnly(), preserveFds: [directory] }),
        (error) =>
          error instanceof InvalidOptionError &&
          error.message.includes(
            `preserveFds of spawnIsolated() hands on descriptor ${directory}, which is a directory`,
          ),
      );
    } finally {
      closeSync(directory);
    }
  });

  it('refuses one that is not open', () => {
    assert.throws(
      () => spawnIsolated(['true'], { policy: readOnly(), preserveFds: [999_999] }),
      (error) =>
        error instanceof InvalidOptionError &&
        /descriptor 999999, which is not open \(EBADF\)/.test(error.message),
    );
  });
});
