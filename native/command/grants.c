/*
 * Granted paths, as detached mounts. A host that is root does this before it becomes an unprivileged user, since the
 * paths are granted by the caller's authority, not by the sandbox's; any other does it inside its user namespace, which
 * alone gives it the right to. From here on no path of the host is looked up any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"
#include "mount_api.h"

/* The host resolved every link of the path: one that is there now was put there since. */
int open_without_links(const char *path) {
  const struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

/* It ends with the launcher, also with one that is killed before it has ended this. */
static int hold_still(void *launcher) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != *(const pid_t *)launcher) return 1;
  return pause();
}

static int write_map(pid_t process, const char *name, uint32_t owner) {
  char path[64], map[160];
  int length;
  const uint32_t sandbox = UNPRIVILEGED_ID;
  /* Owner and sandbox change places, everybody else stays: what a mount does not map cannot even be read. */
  uint32_t low = owner < sandbox ? owner : sandbox, high = owner < sandbox ? sandbox : owner;
  if (low == high) {
    length = snprintf(map, sizeof map, "0 0 4294967295\n");
  } else {
    length = 0;
    if (low > 0) length += snprintf(map + length, sizeof map - (size_t)length, "0 0 %u\n", low);
    length += snprintf(map + length, sizeof map - (size_t)length, "%u %u 1\n", low, high);
    if (high - low > 1)
      length += snprintf(map + length, sizeof map - (size_t)length, "%u %u %u\n", low + 1, low + 1, high - low - 1);
    length += snprintf(map + length, sizeof map - (size_t)length, "%u %u 1\n", high, low);
    length += snprintf(map + length, sizeof map - (size_t)length, "%u %u %u\n", high + 1, high + 1, 4294967294u - high);
  }
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t written = write(file, map, (size_t)length);
  int error = errno;
  close(file);
  errno = error;
  return written == length ? 0 : -1;
}

/* A user namespace that exists only to say which id becomes which; a descriptor of it, or -1 with errno. */
static int owner_namespace(uint32_t user, uint32_t group) {
  static char stack[16384] __attribute__((aligned(16)));
  pid_t launcher = getpid();
  pid_t holder = clone(hold_still, stack + sizeof stack, CLONE_NEWUSER | SIGCHLD, &launcher);
  if (holder < 0) return -1;
  int result = -1;
  if (write_map(holder, "uid_map", user) == 0 && write_map(holder, "gid_map", group) == 0) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/user", (int)holder);
    result = open(path, O_RDONLY | O_CLOEXEC);
  }
  int error = errno;
  kill(holder, SIGKILL);
  waitpid(holder, NULL, 0);
  errno = error;
  return result;
}

static void clone_grant(struct operation *grant, bool as_root) {
  int path = open_without_links(grant->text);
  if (path < 0) launcher_fail(STEP_CLONE_GRANT, errno, grant->text);
  int tree = clone_tree(path);
  if (tree < 0) launcher_fail(STEP_CLONE_GRANT, errno, grant->text);
  close(path);

  struct mount_attributes attributes = {.set = ATTRIBUTE_NO_SET_UID, .propagation = MS_PRIVATE};
  if (!(grant->flags & GRANT_WRITE)) attributes.set |= ATTRIBUTE_READ_ONLY;
  if (!(grant->flags & GRANT_DEVICES)) attributes.set |= ATTRIBUTE_NO_DEVICES;
  if (set_tree_attributes(tree, &attributes) < 0) launcher_fail(STEP_CLONE_GRANT, errno, grant->text);

  if (as_root && (grant->flags & GRANT_OWNER)) {
    int namespace = owner_namespace((uint32_t)grant->a, (uint32_t)grant->b);
    if (namespace < 0) launcher_fail(STEP_MAP_OWNER, errno, grant->text);
    const struct mount_attributes mapped = {.set = ATTRIBUTE_ID_MAPPED, .user_namespace = (uint64_t)namespace};
    if (set_tree_attributes(tree, &mapped) < 0) launcher_fail(STEP_MAP_OWNER, errno, grant->text);
    close(namespace);
  }
  grant->tree = tree;
}

void clone_grants(struct plan *plan, bool as_root) {
  for (uint32_t i = 0; i < plan->operation_count; i++)
    if (plan->operations[i].kind == OPERATION_GRANT) clone_grant(&plan->operations[i], as_root);
}
