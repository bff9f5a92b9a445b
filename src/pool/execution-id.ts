/** Names for runs that were given none: UUIDv7, in the order of the runs. */
import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Random bytes of one id. */
const ID_BYTES = 16;
/** Asking the kernel for each id alone took 130 µs of the main thread per run, on a slow virtual machine. */
const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;
let milliseconds = 0;
let sequence = 0;

function randomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
}

export function newExecutionId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > milliseconds) {
    milliseconds = now;
    // An id takes none of its randomness from the first bytes. The upper half of the sequence's range stays for counting on.
    sequence = random.readUInt32BE(0) >>> 1;
  } else {
    sequence = (sequence + 1) >>> 0;
  }
  return uuidv7({ random, msecs: milliseconds, seq: sequence });
}
