/** What a receipt says of the system call filters that a launcher reports. A launcher without any says so. */
import { createHash } from 'node:crypto';
import type { LauncherFacts } from './addon.js';
import type { Receipt } from './receipt.js';

export function filterInForce({
  zygoteFilter,
  runnerFilter,
}: LauncherFacts): Receipt['isolation']['seccomp'] {
  if (runnerFilter.length === 0) return { mode: 'none' };
  const digest = createHash('sha256').update(zygoteFilter).update(runnerFilter).digest('hex');
  return { mode: 'filter', digest };
}
