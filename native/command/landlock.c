/*
 * A second opinion on what may be written: whatever the mounts say, only below a path that the plan grants for writing.
 * Reading is left to the mounts, since outside of them there is nothing to read. From ABI 6 on the domain also keeps
 * signals and abstract sockets to itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"

/* Of linux/landlock.h; here since that header may be older than the kernel. */
struct rules {
  uint64_t handled_access_fs, handled_access_net, scoped;
};
struct __attribute__((packed)) path_beneath {
  uint64_t allowed_access;
  int32_t parent;
};
#define QUERY_ABI 1u
#define RULE_PATH_BENEATH 1
#define SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS 3u

enum {
  WRITE_FILE = 1 << 1,
  REMOVE_AND_MAKE = 0x1ff << 4, /* remove_dir … make_sym, and not make_char and make_block, which no capability is left for */
  REFER = 1 << 13,
  TRUNCATE = 1 << 14,
};

/* A file has only the rights `on_files`. */
static void allow_below(int ruleset, const char *path, uint64_t access, uint64_t on_files) {
  struct path_beneath rule = {.parent = open(path, O_PATH | O_CLOEXEC)};
  struct stat status;
  if (rule.parent < 0 || fstat(rule.parent, &status) < 0) launcher_fail(STEP_COMMAND_LANDLOCK, errno, path);
  rule.allowed_access = S_ISDIR(status.st_mode) ? access : on_files;
  if (syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0)
    launcher_fail(STEP_COMMAND_LANDLOCK, errno, path);
  close(rule.parent);
}

int command_ruleset(const struct plan *plan, uint32_t *abi_in_force) {
  *abi_in_force = 0;
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, QUERY_ABI);
  /* ABI 1 forbids every rename between directories, also where both may be written. */
  if (abi < 2) {
    if (abi >= 0 || errno == ENOSYS || errno == EOPNOTSUPP) return -1; /* never the only layer */
    launcher_fail(STEP_COMMAND_LANDLOCK, errno, NULL);
  }
  const uint64_t on_files = WRITE_FILE | (abi >= 3 ? TRUNCATE : 0u), writes = on_files | REMOVE_AND_MAKE | REFER;
  struct rules rules = {.handled_access_fs = writes};
  size_t size = sizeof rules.handled_access_fs;
  if (abi >= 6) rules.scoped = SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS, size = sizeof rules;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) launcher_fail(STEP_COMMAND_LANDLOCK, errno, NULL);

  if (plan->flags & PLAN_WRITABLE_ROOT) allow_below(ruleset, "/", writes, on_files);
  for (uint32_t i = 0; i < plan->operation_count; i++) {
    const struct operation *operation = &plan->operations[i];
    if (operation->kind == OPERATION_TEMPORARY ||
        (operation->kind == OPERATION_GRANT && (operation->flags & (GRANT_WRITE | GRANT_DEVICES))))
      allow_below(ruleset, operation->target, writes, on_files);
  }
  *abi_in_force = (uint32_t)abi;
  return ruleset;
}
