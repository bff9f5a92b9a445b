/**
 * From a confinement step that failed to what is missing on this machine, and what would allow it. The step and its errno
 * say what happened; settings of the machine, read here, say who refused it.
 */
import { readFileSync } from 'node:fs';
import type { MissingCapability } from './errors.js';
import { errorName } from './system-error.js';

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

function readSetting(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

const ALLOWED_BY_APPARMOR =
  'load an AppArmor profile with "userns," for this node binary, or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0';

function isRestrictedByAppArmor(): boolean {
  return readSetting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1';
}

const ALLOWED_BY_CONTAINER =
  'in a container, allow clone with CLONE_NEWUSER in its seccomp profile (Docker: --security-opt seccomp=… with a profile that allows it; Kubernetes: seccompProfile) or run it outside of one';

/** What would allow user namespaces, by who refuses them. `error`: the name of the errno. */
function allowUserNamespaces(error: string): string {
  if (readSetting('/proc/sys/user/max_user_namespaces') === '0')
    return 'set the sysctl user.max_user_namespaces to a positive number (sysctl -w user.max_user_namespaces=15000)';
  if (readSetting('/proc/sys/kernel/unprivileged_userns_clone') === '0')
    return 'allow them to ordinary users (sysctl -w kernel.unprivileged_userns_clone=1)';
  if (isRestrictedByAppArmor()) return ALLOWED_BY_APPARMOR;
  if (error === 'ENOSPC')
    return 'the limit on namespaces is reached: raise the user.max_*_namespaces sysctls, or run at a lower nesting depth (32 at most)';
  return ALLOWED_BY_CONTAINER;
}

/** A user namespace that may be made, and used for nothing, is what AppArmor's restriction gives. */
function allowMounts(): string {
  return isRestrictedByAppArmor()
    ? ALLOWED_BY_APPARMOR
    : 'allow mounts inside user namespaces: an AppArmor or seccomp profile of this container denies them';
}

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
    return { capability: 'user-namespaces', reason, remedy: allowUserNamespaces(error) };
  if (step >= Step.privateMounts && step <= Step.setHostName)
    return { capability: 'fs-deny', reason, remedy: allowMounts() };
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
      return { capability: 'process-tree', reason, remedy: allowUserNamespaces(error) };
    default:
      return { capability: 'lifecycle', reason, remedy: 'run "wardenpool doctor" and report what it says' };
  }
}
