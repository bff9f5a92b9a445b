/** How much memory this process may really use: what the machine has, and what its cgroup lets it have. */
import { totalmem } from 'node:os';

/** Bytes. */
export function availableMemory(): number {
  const ofCgroup = process.constrainedMemory();
  // Node answers 0 where it does not know, and a number beyond all memory where there is no limit.
  return ofCgroup > 0 ? Math.min(totalmem(), ofCgroup) : totalmem();
}
