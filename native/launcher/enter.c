/*
 * Outside: from the process that the host started to PID 1 of the sandboxes' namespaces.
 *
 * Started as root, it first becomes an unprivileged user, so that no sandbox has the kernel's uid 0; from there on both
 * ways are one. This is done here and not in the addon's vforked child, because that child shares its memory with the
 * host: under another uid, it would be open to that uid's debuggers.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "channel.h"
#include "launcher.h"

struct identity identity;

/* Best effort by nature: it only matters under memory pressure, and a container may mask the file. */
void raise_oom_score(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)!write(file, "1000", 4);
  close(file);
}

/*
 * In a user namespace that maps only its root, root is already somebody else outside, and cannot become anybody else
 * inside: then there is nothing to leave.
 */
bool is_root_outside(void) {
  if (geteuid() != 0) return false;
  unsigned inside, outside, count;
  FILE *map = fopen("/proc/self/uid_map", "re");
  if (!map) return true;
  int fields = fscanf(map, "%u %u %u", &inside, &outside, &count);
  fclose(map);
  return fields != 3 || outside == 0 || count != 1;
}

void leave_root(void) {
  if (setgroups(0, NULL) < 0) launcher_fail(STEP_DROP_GROUPS, errno, NULL);
  if (setresgid(UNPRIVILEGED_ID, UNPRIVILEGED_ID, UNPRIVILEGED_ID) < 0) launcher_fail(STEP_SWITCH_GROUP, errno, NULL);
  if (setresuid(UNPRIVILEGED_ID, UNPRIVILEGED_ID, UNPRIVILEGED_ID) < 0) launcher_fail(STEP_SWITCH_USER, errno, NULL);
  /* Changing the uid made /proc/self root's; without this the id maps could not be written. */
  if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0) launcher_fail(STEP_SWITCH_USER, errno, NULL);
}

int send_started(int pidfd, pid_t child) {
  const struct control_started started = {.type = CONTROL_STARTED, .version = CONTROL_VERSION, .child = child};
  /* If the host is gone, the process that stays sees the same end of the socket. */
  return send_packet(&started, sizeof started, pidfd);
}

/* Descriptors that the host's own parent left open to be inherited. */
void close_inherited(void) {
  if (syscall(SYS_close_range, CONTROL_DESCRIPTOR + 1, ~0u, 0) < 0) launcher_fail(STEP_CLOSE_INHERITED, errno, NULL);
}

void note_identity(void) {
  int groups = getgroups(0, NULL);
  identity.user_id = geteuid();
  identity.group_id = getegid();
  identity.supplementary_groups = groups > 0 ? (uint32_t)groups : 0;
}

void leave_host(void) {
  close_inherited();
  raise_oom_score();
  if (is_root_outside()) leave_root();
  note_identity();
}

/* Until the host knows of it, the process that stays does nothing. */
static void wait_at(const int gate[2]) {
  char byte;
  ssize_t length;
  close(gate[1]);
  do length = read(gate[0], &byte, sizeof byte);
  while (length < 0 && errno == EINTR);
  close(gate[0]);
  if (length != sizeof byte) _exit(1);
}

void clone_inside(unsigned long namespaces) {
  /*
   * CLONE_PARENT: the process that stays is the host's own child, which waits for it and dies with nothing in between. Should this
   * process be killed before it has told the host, that one finds the child in this process group; it leaves it only afterwards.
   */
  int pidfd = -1, gate[2];
  if (setpgid(0, 0) < 0 || pipe2(gate, O_CLOEXEC) < 0) launcher_fail(STEP_CLONE_NAMESPACES, errno, NULL);
  long child = syscall(SYS_clone, namespaces | CLONE_PARENT | CLONE_PIDFD, NULL, &pidfd, NULL, 0);
  if (child < 0) launcher_fail(STEP_CLONE_NAMESPACES, errno, NULL);
  if (child == 0) return wait_at(gate);
  if (send_started(pidfd, (pid_t)child) < 0)
    launcher_fail(STEP_CLONE_NAMESPACES, errno, "the host could not be told of the launcher");
  _exit(write(gate[1], "", 1) == 1 ? 0 : 1);
}

void enter_namespaces(void) {
  leave_host();
  clone_inside(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
               CLONE_NEWCGROUP);
}
