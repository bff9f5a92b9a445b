/*
 * What a filter would never let come so far: files, sockets, processes, privileges and memory, asked for as any program would. For a
 * launcher without filters, where the walls behind them stand alone.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "attacker.h"

/* Of a function of the C library. */
static long negated(long result) { return result < 0 ? -errno : result; }

/* A new descriptor is given back, so that the limit on them does not answer for what comes next. */
static long closed(long descriptor) {
  long result = negated(descriptor);
  if (result >= 0) close((int)descriptor);
  return result;
}

/* One place among the four descriptors, for what these attempts open. */
static void make_room(void) { close(0); }

static void files(char **arguments) {
  (void)arguments;
  make_room();
  report("read a file", closed(open("/etc/passwd", O_RDONLY)));
  report("list the root", closed(open("/", O_RDONLY | O_DIRECTORY)));
  report("by ..", closed(open("../../../etc/passwd", O_RDONLY)));
  report("its own memory", closed(open("/proc/self/mem", O_RDWR)));
  report("the null device", closed(open("/dev/null", O_RDWR)));
  report("make a file", closed(open("/tmp/attacker", O_WRONLY | O_CREAT | O_EXCL, 0600)));
  report("make one in the root", closed(open("/attacker", O_WRONLY | O_CREAT | O_EXCL, 0600)));
  report("make a directory", negated(mkdir("/tmp/attacker", 0700)));
  report("make a link", negated(symlink("/", "/tmp/attacker")));
  report("make a device", negated(mknod("/tmp/attacker", S_IFIFO | 0600, 0)));
  report("execute", negated(execl("/bin/true", "true", NULL)));
}

static long connect_and_close(int made, const void *address, socklen_t length) {
  if (made < 0) return -errno;
  long result = negated(connect(made, address, length));
  close(made);
  return result;
}

/* A port of the host where somebody listens, and the name of an abstract socket where somebody does. */
static void sockets(char **arguments) {
  make_room();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)argument_value(arguments[0]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  report("connect by TCP", connect_and_close(socket(AF_INET, SOCK_STREAM, 0), &address, sizeof address));
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_port = htons(20999);
  report("bind by TCP", negated(bind(listener, (struct sockaddr *)&address, sizeof address)));
  close(listener);
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  size_t length = strlen(arguments[1]);
  if (length + 1 >= sizeof name.sun_path) _exit(122);
  memcpy(name.sun_path + 1, arguments[1], length);
  report("connect to an abstract socket",
         connect_and_close(socket(AF_UNIX, SOCK_STREAM, 0), &name, sizeof name)); /* whole, as libuv binds it */
}

/* The process of the host that started its launcher, as its own PID namespace numbers it, or not. */
static void processes(char **arguments) {
  pid_t host = (pid_t)argument_value(arguments[0]);
  report("signal its host", negated(kill(host, 0)));
  report("signal its launcher", negated(kill(getppid() ? getppid() : -2, 0)));
  report("trace its host", negated(ptrace(PTRACE_SEIZE, host, NULL, NULL)));
  report("fork", negated(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));
}

static void privileges(char **arguments) {
  (void)arguments;
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  const struct __user_cap_data_struct all[2] = {{~0u, ~0u, 0}, {~0u, ~0u, 0}};
  report("setuid 0", negated(syscall(SYS_setuid, 0)));
  report("setgid 0", negated(syscall(SYS_setgid, 0)));
  report("setgroups", negated(syscall(SYS_setgroups, 0, NULL)));
  report("capabilities", negated(syscall(SYS_capset, &header, all)));
  report("an ambient capability", negated(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0)));
  report("securebits", negated(prctl(PR_SET_SECUREBITS, 0, 0, 0, 0)));
  report("no_new_privs off", negated(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0)));
  report("the clock", negated(syscall(SYS_clock_settime, 0, &(struct timespec){0, 0})));
}

/* In a user namespace of its own it has every capability: what do they reach? */
static void namespaces(char **arguments) {
  (void)arguments;
  make_room();
  long made = negated(unshare(CLONE_NEWUSER | CLONE_NEWNS));
  report_text("a user namespace", made < 0 ? "refused" : "made");
  report("mount", negated(mount("none", "/", "tmpfs", 0, NULL)));
  report("remount", negated(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL)));
  report("unmount", negated(umount2("/", MNT_DETACH)));
  report("pivot_root", negated(syscall(SYS_pivot_root, "/", "/")));
  report("read a file", closed(open("/etc/passwd", O_RDONLY)));
}

static void limits(char **arguments) {
  (void)arguments;
  const struct rlimit more = {64, 64};
  report("raise descriptors", negated(setrlimit(RLIMIT_NOFILE, &more)));
  report("raise processes", negated(setrlimit(RLIMIT_NPROC, &more)));
  report("raise data", negated(setrlimit(RLIMIT_DATA, &more)));
  report("raise CPU time", negated(setrlimit(RLIMIT_CPU, &more)));
  report("one more descriptor", negated(dup(3)));
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  report("private memory", memory == MAP_FAILED ? -errno : 0);
  report("locked memory", negated(mlock((const void *)argument_value("#"), SCRATCH_BYTES)));
  report_text("the heap", sbrk(4096) == (void *)-1 ? "does not grow" : "grows");
}

const struct attack second_wall_attacks[] = {
    {"wall-files", files},
    {"wall-sockets", sockets},
    {"wall-processes", processes},
    {"wall-privileges", privileges},
    {"wall-namespaces", namespaces},
    {"wall-limits", limits},
    {NULL, NULL},
};
