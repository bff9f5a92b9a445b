/** Who sandboxes are, as this process's user namespace numbers users. Must not know how they become it. */
import { readFileSync } from 'node:fs';

/** Mirrors `UNPRIVILEGED_ID` of native/launcher/launcher.h. */
export const UNPRIVILEGED_ID = 65_534;

export interface Identity {
  user: number;
  groups: readonly number[];
}

/**
 * An ordinary user is the same in a sandbox; root becomes an unprivileged one. In a user namespace that maps only its root, root
 * is an ordinary user already.
 */
export function sandboxIdentity(): Identity {
  const user = process.geteuid?.() ?? 0;
  if (user === 0 && !isAlone()) return { user: UNPRIVILEGED_ID, groups: [UNPRIVILEGED_ID] };
  return { user, groups: [...new Set([process.getegid?.() ?? 0, ...(process.getgroups?.() ?? [])])] };
}

function isAlone(): boolean {
  try {
    const [, outside, count] = readFileSync('/proc/self/uid_map', 'utf8').trim().split(/\s+/);
    return count === '1' && outside !== '0';
  } catch {
    return false;
  }
}

/** `CAP_KILL` of linux/capability.h. */
const CAP_KILL = 5n;

/** Whether this process may signal what runs as `identity`: a root that a container took CAP_KILL from may not. */
export function maySignal(identity: Identity): boolean {
  if (process.geteuid?.() === identity.user) return true;
  try {
    const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return ((BigInt(`0x${effective}`) >> CAP_KILL) & 1n) === 1n;
  } catch {
    return false;
  }
}
