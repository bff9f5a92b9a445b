/** What `wardenpool run` says of the limits that ended a command, each by the option that sets it. */
import type { Receipt } from '../index.js';

/** One line for each. */
export function limitLines({ limitsReached = [], limits, usage }: Receipt): string[] {
  return limitsReached.map((name) => {
    switch (name) {
      case 'wallMs':
        return `the command was stopped: it took longer than --wall-time, ${limits[name]} ms`;
      case 'cpuMs':
        return `the command was stopped: it used more than --cpu-time, ${limits[name]} ms`;
      default:
        return `the kernel killed ${usage.cgroup?.oomKills} of the command's processes: together they needed more than --memory, ${limits[name]} bytes`;
    }
  });
}
