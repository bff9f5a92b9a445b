/**
 * What the kernel lets this process do, found by doing it in processes that are gone afterwards: see native/launcher/survey.h,
 * whose output this reads.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:os';
import { promisify } from 'node:util';
import { executablePath } from './addon.js';

/** `kills`: whoever makes the call is killed, by a filter that this process is under. */
export type CallVerdict = 'yes' | 'missing' | 'refused' | 'kills';

export interface KernelSurvey {
  /** System calls that sandboxes are made with, by name. */
  calls: Record<string, CallVerdict>;
  /** How many namespaces of a kind fit into each other from here; 0: none can be made. */
  nesting: { user: number; pid: number };
}

const TIMEOUT_MS = 10_000;

function verdict(errno: number): CallVerdict {
  switch (errno) {
    case -1:
      return 'kills';
    case constants.errno.ENOSYS:
    case constants.errno.EOPNOTSUPP:
      return 'missing';
    case constants.errno.EPERM:
    case constants.errno.EACCES:
      return 'refused';
    default:
      return 'yes';
  }
}

/** Rejects if there is no build for this machine, or it cannot be run. */
export async function surveyKernel(): Promise<KernelSurvey> {
  const { stdout } = await promisify(execFile)(executablePath('wardenpool-launcher'), ['survey'], {
    env: {},
    timeout: TIMEOUT_MS,
  });
  const survey: KernelSurvey = { calls: {}, nesting: { user: 0, pid: 0 } };
  for (const line of stdout.trim().split('\n')) {
    const [what, name = '', value] = line.split(' ');
    if (what === 'call') survey.calls[name] = verdict(Number(value));
    else if (name === 'user' || name === 'pid') survey.nesting[name] = Number(value);
  }
  return survey;
}
