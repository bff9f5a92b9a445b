#include "launcher_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <system_error>

#include "control/control.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

namespace {

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

// Out of the way of 0-3, which the child's descriptors are moved to.
Descriptor moved_up(Descriptor descriptor, const std::string& what) {
  int copy = descriptor ? fcntl(descriptor.get(), F_DUPFD_CLOEXEC, CONTROL_DESCRIPTOR + 1) : -1;
  if (copy < 0) fail(what);
  return Descriptor(copy);
}

class MappedStack {
 public:
  MappedStack() : base_(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0)) {
    if (base_ == MAP_FAILED) fail("mmap of a stack to start the launcher on");
  }
  ~MappedStack() { munmap(base_, kSize); }
  MappedStack(const MappedStack&) = delete;
  void* top() const { return static_cast<char*>(base_) + kSize; }

 private:
  static constexpr size_t kSize = 64 * 1024;
  void* base_;
};

struct ExecArguments {
  int binary, null, control;
  const char* mode;
  int error;  // set by the child, which shares our memory until it has executed the launcher
};

// Runs in the child, on its own stack but in our memory: system calls only.
int execute_launcher(void* pointer) {
  auto* arguments = static_cast<ExecArguments*>(pointer);
  char name[] = "wardenpool-launcher";
  char* const argv[] = {name, const_cast<char*>(arguments->mode), nullptr};
  char* const environment[] = {nullptr};
  for (int number = 0; number < 3; number++)
    if (dup3(arguments->null, number, 0) < 0) goto failed;
  if (dup3(arguments->control, CONTROL_DESCRIPTOR, 0) < 0) goto failed;
  // By descriptor, so that not even the path of the binary is in the launcher's memory.
  syscall(SYS_execveat, arguments->binary, "", argv, environment, AT_EMPTY_PATH);
failed:
  arguments->error = errno;
  _exit(127);
}

}  // namespace

LauncherProcess start_launcher(const std::string& binary, const std::string& mode) {
  Descriptor executable = moved_up(Descriptor(open(binary.c_str(), O_RDONLY | O_CLOEXEC)), "open " + binary);
  Descriptor null = moved_up(Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC)), "open /dev/null");
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) fail("socketpair for the control socket");
  Descriptor ours(pair[0]);
  Descriptor theirs = moved_up(Descriptor(pair[1]), "dup of the control socket");
  if (fcntl(ours.get(), F_SETFL, O_NONBLOCK) < 0) fail("fcntl of the control socket");

  MappedStack stack;
  ExecArguments arguments{executable.get(), null.get(), theirs.get(), mode.c_str(), 0};
  // With every signal blocked, no handler of Node's can run in the child, on memory that is Node's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int pidfd = -1;
  int pid = clone(execute_launcher, stack.top(), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &arguments, &pidfd);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) throw std::system_error(error, std::generic_category(), "clone of the launcher");

  LauncherProcess process{Descriptor(pidfd), pid, std::move(ours)};
  if (arguments.error != 0) {
    // We go on as soon as it has left our memory, which is before it can be reaped.
    pollfd ending{.fd = process.outside.get(), .events = POLLIN, .revents = 0};
    while (::poll(&ending, 1, -1) < 0 && errno == EINTR)
      ;
    int status;
    reap(process.outside, &status);
    throw std::system_error(arguments.error, std::generic_category(), "execute " + binary);
  }
  return process;
}

bool reap(const Descriptor& pidfd, int* status) {
  siginfo_t info{};
  int result;
  do result = waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(pidfd.get()), &info, WEXITED | WNOHANG | __WALL);
  while (result < 0 && errno == EINTR);
  if (result == 0 && info.si_pid == 0) return false;
  // ECHILD: somebody else in this process reaped it; it is over all the same.
  *status = result < 0 ? 0 : info.si_code == CLD_EXITED ? info.si_status << 8 : info.si_status & 0x7f;
  return true;
}

namespace {

constexpr int kReapWaitMs = 1000;

// Without a pidfd there is nothing to wait for but time. ECHILD: there is none (any more).
void reap_in_time(idtype_t type, int number) {
  const timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
  for (int waited = 0; waited < kReapWaitMs;) {
    siginfo_t info{};
    int result = waitid(type, static_cast<id_t>(number), &info, WEXITED | WNOHANG | __WALL);
    if (result < 0 && errno != EINTR) return;
    if (result == 0 && info.si_pid == 0) nanosleep(&pause, nullptr), waited++;
  }
}

}  // namespace

void kill_group(int group) { ::kill(-group, SIGKILL); }

// Numbers are given out in turn: this one is not another's yet.
void reap_group(int group) { reap_in_time(P_PGID, group); }

void kill_and_reap_child(int pid) {
  ::kill(pid, SIGKILL);
  reap_in_time(P_PID, pid);
}

int pid_of(const Descriptor& pidfd) {
  if (!pidfd) return 0;
  char path[64], text[512] = {};
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", pidfd.get());
  Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
  if (!file || read(file.get(), text, sizeof text - 1) <= 0) return 0;
  const char* line = strstr(text, "\nPid:");
  return line ? std::max(0, atoi(line + strlen("\nPid:"))) : 0;
}
