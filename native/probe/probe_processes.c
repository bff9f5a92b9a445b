/* Other processes: the launcher, which is PID 1, siblings, children that stay, and as many of them as there can be. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probe_command.h"

#define LAUNCHER 1

static void attack(const char *name, pid_t pid) {
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  report(text("ptrace attach %s", name), ptrace(PTRACE_ATTACH, pid, NULL, NULL));
  report(text("ptrace seize %s", name), ptrace(PTRACE_SEIZE, pid, NULL, NULL));
  report(text("process_vm_readv %s", name), process_vm_readv(pid, &here, 1, &there, 1, 0));
  report(text("process_vm_writev %s", name), process_vm_writev(pid, &here, 1, &there, 1, 0));
  report(text("pidfd_getfd %s", name), syscall(438, pidfd, 0, 0));
  report(text("kcmp %s", name), syscall(SYS_kcmp, pid, getpid(), 0, 0, 0));
  report(text("process_madvise %s", name), syscall(440, pidfd, &there, 1, 4, 0));
  if (pidfd >= 0) close(pidfd);
}

static void others(char **unused) {
  (void)unused;
  pid_t sibling = fork();
  if (sibling == 0) {
    pause();
    _exit(0);
  }
  attack("the launcher", LAUNCHER);
  attack("a sibling", sibling);
  report("ptrace traceme", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
  kill(sibling, SIGKILL);
  waitpid(sibling, NULL, 0);
}

/* As a process outside: of the same user as the process with this number. */
static void outsider(char **arguments) {
  const char *const files[] = {"mem", "maps", "environ", "fd/3", "ns/user", "root/"};
  if (!arguments[0]) return;
  attack("it", (pid_t)atoi(arguments[0]));
  for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
    int file = open(text("/proc/%s/%s", arguments[0], files[i]), O_RDONLY);
    report(text("open %s", files[i]), file);
    if (file >= 0) close(file);
  }
}

/* Whether a signal may be sent depends on the kernel's Landlock; what counts is that nothing comes of it. */
static void signals(char **unused) {
  (void)unused;
  pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  const int fatal[] = {SIGKILL, SIGSTOP, SIGTERM, SIGABRT, SIGSEGV};
  for (unsigned i = 0; i < sizeof fatal / sizeof fatal[0]; i++) (void)kill(LAUNCHER, fatal[i]);
  (void)syscall(SYS_tgkill, LAUNCHER, LAUNCHER, SIGKILL);
  int pidfd = (int)syscall(SYS_pidfd_open, LAUNCHER, 0);
  if (pidfd >= 0) (void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
  report_number("parent", getppid());
  (void)kill(-1, SIGKILL); /* everything but itself and the launcher */
  int status = 0;
  report("child waited for", waitpid(child, &status, 0));
  report_end("child", status);
  report_number("parent after kill(-1)", getppid());
}

static void limits(char **unused) {
  (void)unused;
  const struct {
    const char *name;
    int resource;
  } each[] = {{"core", RLIMIT_CORE}, {"memlock", RLIMIT_MEMLOCK}, {"nice", RLIMIT_NICE}, {"realtime", RLIMIT_RTPRIO},
              {"files", RLIMIT_NOFILE}, {"file size", RLIMIT_FSIZE}, {"data", RLIMIT_DATA}};
  for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++) {
    struct rlimit limit;
    if (getrlimit(each[i].resource, &limit) < 0) continue;
    limit.rlim_max = limit.rlim_max == RLIM_INFINITY ? limit.rlim_max : limit.rlim_max + 1;
    report(text("raise %s", each[i].name), setrlimit(each[i].resource, &limit));
  }
  const struct rlimit nothing = {0, 0};
  report("the launcher's", prlimit(LAUNCHER, RLIMIT_CPU, &nothing, NULL));
  report("the launcher's, asked for", prlimit(LAUNCHER, RLIMIT_CPU, NULL, &(struct rlimit){0, 0}));
  report("higher priority", setpriority(PRIO_PROCESS, 0, -1));
}

/* Leaves processes behind that nothing but SIGKILL ends, in sessions and groups of their own, and says so. */
static void daemons(char **arguments) {
  int wanted = arguments[0] ? atoi(arguments[0]) : 1, started = 0;
  for (; started < wanted; started++) {
    pid_t first = fork();
    if (first == 0) {
      setsid();
      if (fork() != 0) _exit(0);
      for (int number = 1; number < NSIG; number++) (void)signal(number, SIG_IGN);
      syscall(SYS_close_range, 0u, ~0u, 0);
      for (;;) pause();
    }
    waitpid(first, NULL, 0);
  }
  report_number("started", started);
  send_reports();
  wait_for_host();
}

/* Every child forks too, until nothing can any more. All of them live until the host says so. */
static void fork_bomb(char **unused) {
  (void)unused;
  int counter[2];
  if (pipe2(counter, O_CLOEXEC) < 0) return report("pipe", -1);
  int error = 0;
  for (int attempt = 0; attempt < 100000 && !error; attempt++) {
    pid_t pid = fork();
    if (pid < 0) error = errno;
    if (pid == 0) {
      (void)!write(counter[1], "", 1);
      for (int deeper = 0; deeper < 4; deeper++)
        if (fork() == 0) (void)!write(counter[1], "", 1);
      for (;;) pause();
    }
  }
  fcntl(counter[0], F_SETFL, O_NONBLOCK);
  int processes = 1;
  for (char byte; read(counter[0], &byte, 1) == 1;) processes++;
  errno = error;
  report("the last", -1);
  report_number("processes", processes);
  send_reports();
  wait_for_host();
}

/* Makes orphans as fast as it can, which the launcher has to reap, until the host says so. */
static void orphans(char **unused) {
  (void)unused;
  for (int maker = 0; maker < 8; maker++)
    if (fork() == 0)
      for (;;) {
        pid_t parent = vfork();
        if (parent == 0) {
          if (fork() == 0) _exit(0);
          _exit(0);
        }
        waitpid(parent, NULL, 0);
      }
  report("makers", 0);
  send_reports();
  wait_for_host();
}

static void ignores_signals(char **unused) {
  (void)unused;
  for (int number = 1; number < NSIG; number++) (void)signal(number, SIG_IGN);
  report("ignored", 0);
  send_reports();
  for (;;) pause();
}

static void stops_itself(char **unused) {
  (void)unused;
  report("about to stop", 0);
  send_reports();
  raise(SIGSTOP);
  for (;;) pause();
}

static void clocks(char **unused) {
  (void)unused;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  report("clock_settime", clock_settime(CLOCK_REALTIME, &now));
  report("settimeofday", syscall(SYS_settimeofday, NULL, NULL));
  report("sethostname", sethostname("x", 1));
}

const struct probe process_probes[] = {
    {"others", others},
    {"outsider", outsider},
    {"signals", signals},
    {"limits", limits},
    {"daemons", daemons},
    {"fork-bomb", fork_bomb},
    {"orphans", orphans},
    {"ignores-signals", ignores_signals},
    {"stops-itself", stops_itself},
    {"clocks", clocks},
    {NULL, NULL},
};
