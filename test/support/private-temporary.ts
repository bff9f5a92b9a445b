/** A temporary directory of this process's own, for a while: what is left in it then is nobody else's. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PrivateTemporary {
  /** From here on it is what `tmpdir()` says. */
  enter(): void;
  /** Removes it, and `tmpdir()` is what it was. */
  leave(): void;
}

export function privateTemporary(): PrivateTemporary {
  let directory = '';
  let former: string | undefined;
  return {
    enter() {
      former = process.env['TMPDIR'];
      directory = mkdtempSync(join(tmpdir(), 'wardenpool-test-'));
      chmodSync(directory, 0o1777); // other users have theirs in it, as in the one before
      process.env['TMPDIR'] = directory;
    },
    leave() {
      if (former === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = former;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
