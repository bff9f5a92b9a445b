/** One flood of a host of its own, and how much memory that host took at its worst. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { statusField } from '../../support/processes.js';

const PROGRAM = fileURLToPath(new URL('host.mjs', import.meta.url));

/** What the host is told; see host.mjs. */
export type Order =
  | { what: 'pool'; backend: 'namespaces' | 'seccomp'; descriptor: 2 | 3; bytes: number }
  | { what: 'command'; descriptor: 2 | 3; bytes: number; atOnce: number; isRead: boolean; ms: number };

export interface Flooded {
  /** How often each end was seen. */
  ends: Record<string, number>;
  /** What arrived, by the receipts. */
  received: number;
  seconds: number;
  /** Resident memory of the host: after a first, small flood, and the most that it ever was in the real one. */
  beforeBytes: number;
  mostBytes: number;
}

/** Every part of the host is in memory after so many. */
const WARM_UP_BYTES = 16_777_216;

/** `entryPoints`: of pools and of the executor. */
export async function flood(order: Order, entryPoints: readonly [string, string]): Promise<Flooded> {
  const host = fork(PROGRAM, [...entryPoints], { execArgv: [] });
  const pid = host.pid ?? 0;
  const answer = async () => {
    const [message] = await Promise.race([
      once(host, 'message'),
      once(host, 'exit').then(([code, signal]) => {
        throw new Error(`the host of a flood ended: ${code ?? signal}`);
      }),
    ]);
    return message.done;
  };
  try {
    await once(host, 'message');
    host.send({ ...order, bytes: Math.min(order.bytes, WARM_UP_BYTES) });
    await answer();
    const beforeBytes = kilobytes(pid, 'VmRSS');
    writeFileSync(`/proc/${pid}/clear_refs`, '5'); // the high-water mark is what is resident now
    const startedAt = performance.now();
    host.send(order);
    const { ends, received } = await answer();
    const seconds = (performance.now() - startedAt) / 1000;
    const mostBytes = kilobytes(pid, 'VmHWM');
    const exit = once(host, 'exit');
    host.send({ what: 'end' });
    await exit;
    return { ends, received, seconds, beforeBytes, mostBytes };
  } finally {
    host.kill('SIGKILL');
  }
}

function kilobytes(pid: number, field: string): number {
  return Number.parseInt(statusField(pid, field), 10) * 1024;
}
