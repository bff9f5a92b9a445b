/** The memory of a process that is not dumpable, as root sees it by /proc. */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

export interface Mapping {
  start: bigint;
  end: bigint;
  /** As in "r-xp". */
  access: string;
  name: string;
}

export function mappingsOf(pid: number): Mapping[] {
  assert.equal(
    process.geteuid?.(),
    0,
    'this test needs root: nobody else may read the mappings of a sandbox',
  );
  return readFileSync(`/proc/${pid}/maps`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [range = '', access = '', , , , name = ''] = line.split(/\s+/);
      const [start = '', end = ''] = range.split('-');
      return { start: BigInt(`0x${start}`), end: BigInt(`0x${end}`), access, name };
    });
}

/** What can be read of it: what the kernel keeps for itself, the page of vsyscalls for example, is left out. */
export function readMemory(pid: number, start: bigint, end: bigint): Buffer {
  const bytes = Buffer.alloc(Number(end - start));
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return bytes.subarray(0, readSync(memory, bytes, 0, bytes.length, start));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
    return Buffer.alloc(0);
  } finally {
    closeSync(memory);
  }
}
