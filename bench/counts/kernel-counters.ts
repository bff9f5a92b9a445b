/** What the kernel counts of a process without being asked to: page faults and context switches, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

export interface KernelCounters {
  minorFaults: number;
  /** Times that one of its threads waited for something. */
  voluntarySwitches: number;
}

/** Up to now, of all threads that live. */
export function readCounters(process: number): KernelCounters {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
  // Behind the name, which may contain anything: state is field 3, minflt is 10.
  const minorFaults = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[7]);
  const voluntarySwitches = readdirSync(`/proc/${process}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${process}/task/${thread}/status`, 'utf8');
    return sum + Number(/^voluntary_ctxt_switches:\s*(\d+)$/m.exec(status)?.[1]);
  }, 0);
  return { minorFaults, voluntarySwitches };
}
