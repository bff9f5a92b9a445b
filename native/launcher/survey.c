/* Calls are made with arguments that the kernel refuses before anything happens; see survey.h. */
#include "survey.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Numbers that are the same on every architecture, where the headers may be older than the kernel. */
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

#define KILLS (-1)
#define MOST_LEVELS 40 /* the kernel stops at 32 */

static const uint32_t kill_action = SECCOMP_RET_KILL_PROCESS;

static const struct tried_call {
  const char *name;
  long number;
  long arguments[5];
  bool needs_mount_namespace; /* refused without CAP_SYS_ADMIN over one, before anything else is looked at */
} tried_calls[] = {
    {"seccomp", SYS_seccomp, {SECCOMP_GET_ACTION_AVAIL, 0, (long)&kill_action}, false},
    {"landlock_create_ruleset", SYS_landlock_create_ruleset, {0, 0, 1}, false},
    {"close_range", SYS_close_range, {1, 0, 0}, false},
    {"execveat", SYS_execveat, {-1, (long)"", 0, 0, 0}, false},
    {"clone3", SYS_clone3, {0, 0}, false},
    {"pidfd_open", SYS_pidfd_open, {0, 0}, false},
    {"pidfd_send_signal", SYS_pidfd_send_signal, {-1, 0, 0, 0}, false},
    {"openat2", SYS_openat2, {AT_FDCWD, (long)"", 0, 0}, false},
    {"mount", SYS_mount, {0, 0, 0, 0, 0}, true},
    {"pivot_root", SYS_pivot_root, {0, 0}, true},
    {"open_tree", SYS_open_tree, {-1, (long)"", -1}, true},
    {"move_mount", SYS_move_mount, {-1, (long)"", -1, (long)"", -1}, true},
    {"mount_setattr", SYS_mount_setattr, {-1, (long)"", 0, 0, 0}, true},
    {"fsopen", SYS_fsopen, {0, -1}, true},
};

/* What a child of this process returned, at most 255; KILLS if it was killed or could not be made. */
static int in_child(int (*attempt)(const void *), const void *argument) {
  pid_t child = fork();
  if (child == 0) {
    const struct rlimit no_core = {0, 0}; /* of a call that kills */
    (void)setrlimit(RLIMIT_CORE, &no_core);
    _exit(attempt(argument));
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return KILLS;
  return WEXITSTATUS(status);
}

static int make_call(const void *argument) {
  const struct tried_call *call = argument;
  /* Where it may not, the call says EPERM, and so it is. */
  if (call->needs_mount_namespace) (void)unshare(CLONE_NEWUSER | CLONE_NEWNS);
  const long *a = call->arguments;
  return syscall(call->number, a[0], a[1], a[2], a[3], a[4]) < 0 ? errno : 0;
}

static bool write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool is_written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
  close(file);
  return is_written;
}

/* A user namespace in which this process is root; without maps no further one could be made in it. */
static bool enter_user_namespace(void) {
  char user[32], group[32];
  snprintf(user, sizeof user, "0 %u 1", geteuid());
  snprintf(group, sizeof group, "0 %u 1", getegid());
  return unshare(CLONE_NEWUSER) == 0 && write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", user) && write_file("/proc/self/gid_map", group);
}

static int count_user_levels(const void *unused) {
  (void)unused;
  int levels = 0;
  while (levels < MOST_LEVELS && enter_user_namespace()) levels++;
  return levels;
}

/* The first process of each namespace makes the next. */
static int count_pid_levels(const void *level) {
  int depth = level ? *(const int *)level : 0;
  if (depth == MOST_LEVELS || unshare(CLONE_NEWPID) < 0) return depth;
  int next = depth + 1;
  int deepest = in_child(count_pid_levels, &next);
  return deepest == KILLS ? depth : deepest;
}

static int enter_and_count_pid_levels(const void *unused) {
  (void)unused;
  (void)enter_user_namespace(); /* where it is refused, root can do without */
  return count_pid_levels(NULL);
}

static void report_levels(const char *kind, int levels) { printf("levels %s %d\n", kind, levels == KILLS ? 0 : levels); }

int survey(void) {
  for (size_t i = 0; i < sizeof tried_calls / sizeof tried_calls[0]; i++)
    printf("call %s %d\n", tried_calls[i].name, in_child(make_call, &tried_calls[i]));
  report_levels("user", in_child(count_user_levels, NULL));
  report_levels("pid", in_child(enter_and_count_pid_levels, NULL));
  return fflush(stdout) == 0 ? 0 : 1;
}
