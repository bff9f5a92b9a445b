/** Who on this machine refuses user namespaces, and what would allow them. It reads settings, and tries nothing. */
import { readSetting } from './settings-file.js';

export interface Refusal {
  /** A sysctl, AppArmor, a container's filter, or a limit. */
  by: string;
  remedy: string;
}

const SYSCTL_MAXIMUM: Refusal = {
  by: 'the sysctl user.max_user_namespaces, which is 0',
  remedy:
    'set the sysctl user.max_user_namespaces to a positive number (sysctl -w user.max_user_namespaces=15000)',
};
const SYSCTL_UNPRIVILEGED: Refusal = {
  by: 'the sysctl kernel.unprivileged_userns_clone, which is 0',
  remedy: 'allow them to ordinary users (sysctl -w kernel.unprivileged_userns_clone=1)',
};
const APPARMOR: Refusal = {
  by: 'AppArmor (kernel.apparmor_restrict_unprivileged_userns is 1)',
  remedy:
    'load an AppArmor profile with "userns," for this node binary, or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
};
const LIMIT: Refusal = {
  by: 'a limit on namespaces or on how deep they are nested, here or outside of this container',
  remedy: 'raise the user.max_*_namespaces sysctls, or run at a lower nesting depth (32 at most)',
};
const CONTAINER: Refusal = {
  by: 'the seccomp profile of a container, or a kernel without them',
  remedy:
    'in a container, allow clone with CLONE_NEWUSER in its seccomp profile (Docker: --security-opt seccomp=… with a profile that allows it; Kubernetes: seccompProfile) or run it outside of one',
};

/** AppArmor's restriction lets user namespaces be made, and used for nothing. */
export function appArmorRefusal(): Refusal | undefined {
  return readSetting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1' ? APPARMOR : undefined;
}

/** `error`: the name of the errno with which one was refused, if that is known. */
export function userNamespaceRefusal(error = ''): Refusal {
  if (readSetting('/proc/sys/user/max_user_namespaces') === '0') return SYSCTL_MAXIMUM;
  if (readSetting('/proc/sys/kernel/unprivileged_userns_clone') === '0') return SYSCTL_UNPRIVILEGED;
  return appArmorRefusal() ?? (error === 'ENOSPC' ? LIMIT : CONTAINER);
}
