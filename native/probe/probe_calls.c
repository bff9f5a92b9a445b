/* System calls that no command may make, or not with every argument. The numbers are the kernel's own, so that this builds everywhere. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe_command.h"

/* With arguments that are all zero; "absent" ones and ones that do not exist end with ENOSYS. */
static void calls(char **numbers) {
  for (; *numbers; numbers++) {
    errno = 0;
    report(*numbers, syscall(strtol(*numbers, NULL, 10), 0, 0, 0, 0, 0, 0));
  }
}

static const struct {
  const char *name;
  const char *file;
  unsigned flag;
} namespaces[] = {
    {"user", "user", CLONE_NEWUSER}, {"mount", "mnt", CLONE_NEWNS}, {"pid", "pid", CLONE_NEWPID},
    {"network", "net", CLONE_NEWNET}, {"ipc", "ipc", CLONE_NEWIPC}, {"uts", "uts", CLONE_NEWUTS},
    {"cgroup", "cgroup", CLONE_NEWCGROUP}, {"time", "time", 0x80u},
};

static void new_namespaces(char **unused) {
  (void)unused;
  for (unsigned i = 0; i < sizeof namespaces / sizeof namespaces[0]; i++) {
    long pid = syscall(SYS_clone, (unsigned long)namespaces[i].flag | SIGCHLD, NULL, NULL, NULL, 0);
    if (pid == 0) _exit(0);
    report(text("clone %s", namespaces[i].name), pid);
    report(text("unshare %s", namespaces[i].name), unshare((int)namespaces[i].flag));
    int file = open(text("/proc/self/ns/%s", namespaces[i].file), O_RDONLY);
    report(text("setns %s", namespaces[i].name), setns(file < 0 ? 0 : file, 0));
  }
}

static void clone3(char **unused) {
  (void)unused;
  uint64_t arguments[8] = {0};
  arguments[4] = SIGCHLD;
  report("a bad pointer", syscall(435, (void *)1, sizeof arguments));
  report("no pointer", syscall(435, NULL, sizeof arguments));
  long pid = syscall(435, arguments, sizeof arguments);
  if (pid == 0) _exit(0);
  report("as fork", pid);
}

static void sockets(char **unused) {
  (void)unused;
  for (int family = 0; family <= 45; family++) {
    int made = socket(family, SOCK_DGRAM, 0);
    report(text("socket %d", family), made);
    if (made >= 0) close(made);
    int pair[2];
    int result = socketpair(family, SOCK_STREAM, 0, pair);
    report(text("socketpair %d", family), result);
    if (result == 0) close(pair[0]), close(pair[1]);
  }
  report("raw", socket(AF_INET, SOCK_RAW, 1));
  report("packets by an old name", socket(AF_INET, SOCK_PACKET, 0));
}

static void terminals(char **unused) {
  (void)unused;
  char byte = '\n';
  report("TIOCSTI", syscall(SYS_ioctl, 0, 0x5412ul, &byte));
  report("TIOCLINUX", syscall(SYS_ioctl, 0, 0x541cul, &byte));
  /* The kernel looks at 32 bits. */
  report("TIOCSTI with more bits", syscall(SYS_ioctl, 0, 0xffffffff00005412ul, &byte));
  report("a terminal", open("/dev/tty", O_RDWR));
  report("a new terminal", open("/dev/ptmx", O_RDWR));
}

static void personalities(char **unused) {
  (void)unused;
  report("asked for", syscall(SYS_personality, 0xfffffffful));
  report("no randomisation", syscall(SYS_personality, 0x0040000ul));
  report("read implies execute", syscall(SYS_personality, 0x0400000ul));
  report("32 bits", syscall(SYS_personality, 8ul));
}

static const char *end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return text("SIG%s", sigabbrev_np(WTERMSIG(status)));
  const char *name = strerrorname_np(WEXITSTATUS(status));
  return name && WEXITSTATUS(status) != 0 ? name : "ok";
}

/* In a child each, as most of what a command may call does something even with arguments that are zero, or waits for ever. */
static void calls_in_children(char **numbers) {
  const struct itimerval patience = {{0, 0}, {0, 100000}};
  for (; *numbers; numbers++) {
    pid_t child = fork();
    if (child == 0) {
      setitimer(ITIMER_REAL, &patience, NULL);
      long result = syscall(strtol(*numbers, NULL, 10), 0, 0, 0, 0, 0, 0);
      _exit(result < 0 ? errno : 0);
    }
    report_text(*numbers, end_of(child));
  }
}

/* By the 32-bit interface. */
static void calls_by_interrupt(char **numbers) {
  for (; *numbers; numbers++) {
    pid_t child = fork();
    if (child == 0) {
#if defined(__x86_64__)
      long result;
      __asm__ volatile("int $0x80" : "=a"(result) : "a"(strtol(*numbers, NULL, 10)), "b"(0), "c"(0), "d"(0) : "memory");
#endif
      _exit(0);
    }
    report_text(*numbers, end_of(child));
  }
}

/* In a child each, since they may kill it. */
static void other_interfaces(char **unused) {
  (void)unused;
#if defined(__x86_64__)
  pid_t pid = fork();
  if (pid == 0) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20l) : "memory");
    _exit(result >= 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  report_end("32 bits", status);
  const long x32 = 0x40000000l;
  report("x32 getpid", syscall(x32 + SYS_getpid));
  report("x32 ptrace", syscall(x32 + 521, 0, 0, 0, 0));
  report("x32 of a refused call", syscall(x32 + SYS_mount, 0, 0, 0, 0, 0));
#endif
}

static void locks(char **unused) {
  (void)unused;
  report("no_new_privs off", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
  report("a filter off", prctl(PR_SET_SECCOMP, 0, 0, 0, 0));
  report("securebits", prctl(PR_SET_SECUREBITS, 0, 0, 0, 0));
  report("an ambient capability", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
  report("setuid 0", setuid(0));
  report("setgid 0", setgid(0));
  report("setgroups", syscall(SYS_setgroups, 0, NULL));
}

const struct probe call_probes[] = {
    {"calls", calls},
    {"calls-in-children", calls_in_children},
    {"calls-by-interrupt", calls_by_interrupt},
    {"new-namespaces", new_namespaces},
    {"clone3", clone3},
    {"sockets", sockets},
    {"terminals", terminals},
    {"personalities", personalities},
    {"other-interfaces", other_interfaces},
    {"locks", locks},
    {NULL, NULL},
};
