/*
 * The way in without namespaces: to a launcher that stays in the host's, and to the process between it and the host.
 *
 * A PID namespace does two things when its init dies: it kills everything in it, and its end is reported only when nothing
 * is left. Here this process does both. Sandboxes whose launcher was killed become its children, and not those of some init,
 * which in a container may be the host itself and reap nothing; it kills their process group and reaps them. So its end means
 * that all of them are gone. Should it be killed itself, parent-death signals remain: from the host to it, from it to the
 * launcher, from the launcher to each sandbox.
 */
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launcher.h"

static pid_t reaper;

bool reaper_is_there(void) { return getppid() == reaper; }

static uint32_t count_bounding_set(void) {
  uint32_t count = 0;
  for (int capability = 0;; capability++) {
    int is_in = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
    if (is_in < 0) return count; /* the kernel does not know it, nor any after it */
    count += (uint32_t)is_in;
  }
}

/* Ends as the launcher did, so that its host is told the same as if the two were one. */
__attribute__((noreturn)) static void reap_until_all_are_gone(pid_t launcher) {
  int status, launcher_status = 0;
  pid_t pid;
  siginfo_t info;
  while (waitid(P_PID, (id_t)launcher, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
    ;
  (void)kill(-launcher, SIGKILL); /* not reaped yet, it cannot be the number of another group */
  while ((pid = wait4(-1, &status, __WALL, NULL)) > 0 || errno == EINTR)
    if (pid == launcher) launcher_status = status;
  if (WIFEXITED(launcher_status)) _exit(WEXITSTATUS(launcher_status));
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL); /* the host starts launchers with every signal blocked */
  (void)raise(WTERMSIG(launcher_status));
  _exit(1);
}

void enter_without_namespaces(void) {
  /*
   * As far as they may be: an ordinary user keeps the bounding set that it was given, since only CAP_SETPCAP could empty it.
   * Nothing in it can be had, by a process without a capability that may gain no privileges; what is left is reported.
   */
  (void)clear_bounding_set();
  (void)lock_securebits();
  leave_host();
  /* With locked securebits the switch of users left root's capabilities where they were. */
  if (keep_capabilities(0) < 0) launcher_fail(STEP_LAUNCHER_CAPABILITIES, errno, NULL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) launcher_fail(STEP_NO_NEW_PRIVILEGES, errno, NULL);
  identity.bounding_set = count_bounding_set();
  if (chdir("/") < 0) launcher_fail(STEP_LEAVE_DIRECTORY, errno, NULL); /* holds no mount of the host's busy */
  if (setsid() < 0) launcher_fail(STEP_NEW_SESSION, errno, NULL);

  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) launcher_fail(STEP_BECOME_SUBREAPER, errno, NULL);
  (void)signal(SIGCHLD, SIG_DFL); /* ignored, as whoever started the host may have it, children reap themselves */
  reaper = getpid();
  int pidfd = -1;
  long child = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, &pidfd, NULL, 0);
  if (child < 0) launcher_fail(STEP_CLONE_LAUNCHER, errno, NULL);
  if (child == 0) {
    if (setpgid(0, 0) < 0) launcher_fail(STEP_NEW_SESSION, errno, NULL); /* of the launcher and its sandboxes */
    return;
  }

  if (send_started(pidfd, 0) < 0) {
    int error = errno;
    (void)kill((pid_t)child, SIGKILL);
    (void)wait4((pid_t)child, NULL, __WALL, NULL);
    launcher_fail(STEP_CLONE_LAUNCHER, error, "the host could not be told of the launcher");
  }
  /* If the host is gone before this, the launcher sees the end of its socket. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) _exit(1);
  if (syscall(SYS_close_range, 0, ~0u, 0) < 0) _exit(1);
  reap_until_all_are_gone((pid_t)child);
}
