// A temporary directory for as long as some work takes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Does `work` in a new directory, which is removed with all that is in it, also when `work` throws.
 * @template T
 * @param {(directory: string) => T} work
 * @returns {T}
 */
export function inTemporaryDirectory(work) {
  const directory = mkdtempSync(join(tmpdir(), 'wardenpool-'));
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
