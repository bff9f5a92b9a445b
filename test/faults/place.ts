/** Where a test of faults happens: a directory of its own, with the temporary directory of this process in it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Place {
  directory: string;
  /** Gives this process back its temporary directory. */
  remove(): void;
}

export function makePlace(): Place {
  const before = process.env['TMPDIR'];
  const directory = mkdtempSync(join(tmpdir(), 'wardenpool-test-'));
  mkdirSync(join(directory, 'temporary'));
  for (const path of [directory, join(directory, 'temporary')]) chmodSync(path, 0o777);
  process.env['TMPDIR'] = join(directory, 'temporary');
  return {
    directory,
    remove() {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      rmSync(directory, { recursive: true });
    },
  };
}
