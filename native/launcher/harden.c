/*
 * What the zygote gives up, once, before it clones anything: every sandbox inherits it.
 * Kept until the end, where sandboxes have PID namespaces: CAP_SYS_ADMIN in the zygote's own user namespace, without which
 * none can be made.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launcher.h"
#include "seccomp_filter.h"

int clear_bounding_set(void) {
  /* The kernel says EINVAL at the first capability that it does not know. */
  for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++)
    ;
  if (errno != EINVAL) return -1;
  return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

int lock_securebits(void) {
  return prctl(PR_SET_SECUREBITS,
               SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
                   SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
               0, 0, 0);
}

int keep_capabilities(uint64_t set) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2] = {
      {.effective = (uint32_t)set, .permitted = (uint32_t)set},
      {.effective = (uint32_t)(set >> 32), .permitted = (uint32_t)(set >> 32)},
  };
  return (int)syscall(SYS_capset, &header, data);
}

/*
 * Limits that hold for the zygote and its sandboxes alike; those that only a sandbox can live with are in child.c.
 * CORE is 1, not 0: with 0 a core_pattern that is a pipe would still be run. Where the host's own hard limit is 0, it stays
 * 0; a process that is not dumpable leaves no core either way. DATA is 0 since everything is mapped by now, and STACK
 * since the stack in use is a mapping of its own: neither can grow any more.
 */
static void limit_resources(void) {
  const struct {
    int resource;
    rlim_t limit;
  } limits[] = {
      {RLIMIT_CORE, 1}, {RLIMIT_FSIZE, 0}, {RLIMIT_MEMLOCK, 0}, {RLIMIT_MSGQUEUE, 0}, {RLIMIT_NICE, 0}, {RLIMIT_RTPRIO, 0},
      {RLIMIT_DATA, 0}, {RLIMIT_STACK, 0},
  };
  for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    struct rlimit limit;
    if (getrlimit(limits[i].resource, &limit) < 0) launcher_fail(STEP_LIMIT_RESOURCES, errno, NULL);
    if (limit.rlim_max > limits[i].limit) limit.rlim_max = limits[i].limit;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(limits[i].resource, &limit) < 0) launcher_fail(STEP_LIMIT_RESOURCES, errno, NULL);
  }
}

/* Of struct landlock_ruleset_attr; declared here since the header may be older than the kernel. */
struct landlock_rules {
  uint64_t handled_access_fs, handled_access_net, scoped;
};
#define LANDLOCK_QUERY_ABI 1u

/* A domain without a single rule: no file can be opened, no TCP port bound or reached, nothing outside it signalled. */
static uint32_t enter_landlock(void) {
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_QUERY_ABI);
  if (abi < 1) {
    /* Never the only layer. EPERM: the filter of a container that is older than Landlock. */
    if (errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM) return 0;
    launcher_fail(STEP_LANDLOCK, errno, NULL);
  }
  /* Access rights that each ABI knows (Documentation/userspace-api/landlock.rst in the kernel). */
  static const uint64_t file_rights[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff};
  struct landlock_rules rules = {.handled_access_fs = abi < 5 ? file_rights[abi] : 0xffff};
  size_t size = sizeof rules.handled_access_fs;
  if (abi >= 4) rules.handled_access_net = 0x3, size = 2 * sizeof(uint64_t);
  if (abi >= 6) rules.scoped = 0x3, size = sizeof rules;
  long ruleset = syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) launcher_fail(STEP_LANDLOCK, errno, NULL);
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0) launcher_fail(STEP_LANDLOCK, errno, NULL);
  close((int)ruleset);
  return (uint32_t)abi;
}

uint32_t harden_launcher(const struct sandbox_settings *settings) {
  bool has_namespaces = settings->namespaces != CONTROL_NAMESPACES_NONE;
  limit_resources();
  if (has_namespaces) { /* where there are none it was done, as far as it could be, before the user was switched */
    if (clear_bounding_set() < 0) launcher_fail(STEP_CLEAR_BOUNDING_SET, errno, NULL);
    if (lock_securebits() < 0) launcher_fail(STEP_LOCK_SECUREBITS, errno, NULL);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) launcher_fail(STEP_NO_NEW_PRIVILEGES, errno, NULL);
  uint32_t landlock_abi = enter_landlock();
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) launcher_fail(STEP_NOT_DUMPABLE, errno, NULL);
  if (build_filters(sandbox_clone_flags(settings->namespaces)) < 0)
    launcher_fail(STEP_BUILD_FILTERS, 0, "a seccomp filter outgrew its buffer");
  if (keep_capabilities(has_namespaces ? 1ull << CAP_SYS_ADMIN : 0) < 0)
    launcher_fail(STEP_LAUNCHER_CAPABILITIES, errno, NULL);
  /* After the last change of credentials, which would clear it. If the host died before this, its socket has ended. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) launcher_fail(STEP_PARENT_DEATH_SIGNAL, errno, NULL);
  if (install_filter(&zygote_filter) < 0) launcher_fail(STEP_ZYGOTE_FILTER, errno, NULL);
  return landlock_abi;
}
