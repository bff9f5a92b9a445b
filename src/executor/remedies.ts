/**
 * From a confinement step that failed to what is missing on this machine, and what would allow it. The step and its errno
 * say what happened; user-namespaces.ts knows who may have refused it.
 */
import type { MissingCapability } from './errors.js';
import { errorName } from './system-error.js';
import { appArmorRefusal, userNamespaceRefusal } from './user-namespaces.js';

/** Mirrors `native/control/steps.h`, where a remedy depends on the step. */
const Step = {
  dropGroups: 13,
  switchGroup: 14,
  switchUser: 15,
  cloneNamespaces: 16,
  mapGroup: 19,
  privateMounts: 20,
  setHostName: 25,
  cloneSandbox: 50,
} as const;

/** Of a machine that has run out of something: it refused nothing, and may be fine a moment later. */
const EXHAUSTED = ['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE'];

const ALLOW_MOUNTS =
  'allow mounts inside user namespaces: an AppArmor or seccomp profile of this container denies them';

/** What a launcher's failed step means for an operator. `text` is the step's own description. */
export function missingCapability(
  step: number,
  text: string,
  errno: number,
  detail: string,
): MissingCapability {
  const error = errorName(errno);
  const said = [error, detail].filter((part) => part !== '').join(', ');
  const reason = `could not ${text}${said === '' ? '' : ` (${said})`}`;
  if (EXHAUSTED.includes(error)) {
    return {
      capability: 'lifecycle',
      reason,
      remedy: 'raise the limits on processes (RLIMIT_NPROC, pids.max), descriptors and memory, or use less',
    };
  }
  if (step >= Step.cloneNamespaces && step <= Step.mapGroup)
    return { capability: 'user-namespaces', reason, remedy: userNamespaceRefusal(error).remedy };
  if (step >= Step.privateMounts && step <= Step.setHostName)
    return { capability: 'fs-deny', reason, remedy: appArmorRefusal()?.remedy ?? ALLOW_MOUNTS };
  switch (step) {
    case Step.dropGroups:
    case Step.switchGroup:
    case Step.switchUser:
      return {
        capability: 'process-tree',
        reason,
        remedy:
          'started as root it needs CAP_SETGID and CAP_SETUID and the ids 65534; or start it as an ordinary user',
      };
    case Step.cloneSandbox:
      return { capability: 'process-tree', reason, remedy: userNamespaceRefusal(error).remedy };
    default:
      return { capability: 'lifecycle', reason, remedy: 'run "wardenpool doctor" and report what it says' };
  }
}

/** Root whose container took CAP_KILL away may start sandboxes as another user, and could not stop them. */
export const CANNOT_SIGNAL: MissingCapability = {
  capability: 'process-tree',
  reason: 'this process may not signal its sandboxes, which run as another user, and so could not stop them',
  remedy: 'give it CAP_KILL, or start it as an ordinary user',
};
