/** Memory of processes and of the machine, from /proc, in KB of 1024 bytes. */
import { readFileSync } from 'node:fs';
import { treeOf } from './tree-cpu.js';

/** Of all that descends from this process: each its own pages, and its share of those that it has in common with others. */
export function descendantsPssKb(): { processes: number; pssKb: number } {
  const processes = treeOf(process.pid).slice(1);
  const pssKb = processes.reduce((sum, id) => sum + field(`/proc/${id}/smaps_rollup`, 'Pss'), 0);
  return { processes: processes.length, pssKb };
}

/** What the kernel could still give to new processes; counts page tables and kernel stacks, which PSS does not. */
export function availableKb(): number {
  return field('/proc/meminfo', 'MemAvailable');
}

/** Threads of this process. */
export function threadCount(): number {
  return field('/proc/self/status', 'Threads');
}

function field(path: string, name: string): number {
  const line = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(path, 'utf8'));
  if (line === null) throw new Error(`${path} has no line "${name}:"`);
  return Number(line[1]);
}
