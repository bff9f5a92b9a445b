/**
 * CPU time of a process and everything that descends from it, from /proc. A process that has ended counts from the moment
 * its parent has waited for it, in the parent's own figures.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** What /proc counts CPU time in (sysconf(_SC_CLK_TCK), 100 on every Linux that Node runs on), ms. */
const TICK_MS = 10;

/** User and system time so far, ms. */
export function treeCpuMs(root: number): number {
  return treeOf(root).reduce((sum, process) => sum + cpuMs(process), 0);
}

/** The process and all its descendants that live. */
export function treeOf(root: number): number[] {
  const processes = [root];
  for (const process of processes) processes.push(...childrenOf(process));
  return processes;
}

function childrenOf(process: number): number[] {
  return threadsOf(process).flatMap((thread) =>
    read(`/proc/${process}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

function threadsOf(process: number): string[] {
  try {
    return readdirSync(`/proc/${process}/task`);
  } catch {
    return []; // it has just ended
  }
}

function cpuMs(process: number): number {
  const stat = read(`/proc/${process}/stat`);
  // Behind the name, which may contain anything: state is field 3, utime, stime, cutime, cstime are 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has just ended
  }
}
