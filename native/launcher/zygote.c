/*
 * The zygote's loop: one clone per request, one report per end.
 *
 * It waits in ppoll(), where alone SIGCHLD is let through; it never blocks anywhere else. The descriptors of a request
 * are open here only from recvmsg() to the clone, since each open descriptor is copied into each clone.
 *
 * A clone makes all memory that it shares copy-on-write, for the zygote too. So what the loop writes, its stack first of
 * all, is memory that clones do not have; they start on the stack on which the launcher has come here.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "allow_list.h"
#include "channel.h"
#include "children.h"
#include "launcher.h"

#define LOOP_STACK_BYTES ((size_t)64 << 10)

static int report_pipe[2] = {-1, -1};
static const struct sandbox_settings *settings;

/* Zygote only. */
static int *pidfd; /* of the last clone */
static char *loop_stack;

void prepare_to_serve(void) {
  pidfd = map_for_zygote_only(sizeof *pidfd);
  loop_stack = map_for_zygote_only(LOOP_STACK_BYTES);
  if (!pidfd || !loop_stack) launcher_fail(STEP_MAP_TABLES, errno, NULL);
  if (pipe2(report_pipe, O_CLOEXEC | O_NONBLOCK) < 0) launcher_fail(STEP_OPEN_REPORT_PIPE, errno, NULL);
  if (children_prepare() < 0 || channel_prepare() < 0) launcher_fail(STEP_MAP_TABLES, errno, NULL);
}

void *map_for_zygote_only(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  return madvise(memory, size, MADV_DONTFORK) < 0 ? NULL : memory;
}

/* What a clone is told: in a pointer, since memory for it would have to be written before each clone. */
struct assignment {
  uint32_t sandbox;
  uint16_t bridge, diagnostics;
};
_Static_assert(sizeof(struct assignment) == sizeof(void *), "an assignment is handed over as a pointer");

static int start_sandbox(void *packed) {
  struct assignment assignment;
  memcpy(&assignment, &packed, sizeof assignment);
  run_sandbox(assignment.sandbox, assignment.bridge, assignment.diagnostics, report_pipe[1], settings);
}

uint32_t sandbox_clone_flags(enum control_namespaces namespaces) {
  switch (namespaces) {
    case CONTROL_NAMESPACES_SHARED: return SANDBOX_CLONE_FLAGS;
    case CONTROL_NAMESPACES_OWN: return STRICT_CLONE_FLAGS;
    case CONTROL_NAMESPACES_NONE: return PLAIN_CLONE_FLAGS;
  }
  launcher_fail(STEP_RECEIVE_CONFIGURATION, 0, "the host asks for sandboxes of a shape that there is not");
}

static void spawn(const struct request *request, void *sandbox_stack) {
  const uint32_t sandbox = request->number;
  const struct assignment assignment = {sandbox, (uint16_t)request->bridge, (uint16_t)request->diagnostics};
  void *packed;
  memcpy(&packed, &assignment, sizeof packed);
  int flags = (int)sandbox_clone_flags(settings->namespaces);
  pid_t pid = -1;
  if (children_full()) errno = EAGAIN;
  else pid = clone(start_sandbox, sandbox_stack, flags, packed, pidfd, NULL, NULL);
  int error = errno;
  close(request->bridge);
  close(request->diagnostics);
  if (pid < 0) {
    struct control_spawn_failed failed = {CONTROL_SPAWN_FAILED, sandbox, STEP_CLONE_SANDBOX, error};
    channel_send(&failed, sizeof failed, -1);
    return;
  }
  children_add(pid, sandbox);
  struct control_spawned spawned = {CONTROL_SPAWNED, sandbox};
  channel_send(&spawned, sizeof spawned, *pidfd);
}

/*
 * The step that this sandbox could not take, if it said so. Only a clone that has not yet closed its descriptors can
 * write to the pipe, so no program can forge a report; reports of others that are still to be reaped are kept apart.
 */
static struct step_report failed_step(uint32_t sandbox) {
  static struct step_report kept[64];
  static unsigned kept_count;
  struct step_report report;
  while (kept_count < sizeof kept / sizeof kept[0] && read(report_pipe[0], &report, sizeof report) == sizeof report)
    kept[kept_count++] = report;
  for (unsigned i = 0; i < kept_count; i++) {
    if (kept[i].sandbox != sandbox) continue;
    report = kept[i];
    kept[i] = kept[--kept_count];
    return report;
  }
  return (struct step_report){0};
}

static uint64_t microseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec;
}

static void reap(void) {
  int status;
  struct rusage usage;
  pid_t pid;
  while ((pid = wait4(-1, &status, WNOHANG | __WALL, &usage)) > 0) {
    uint32_t sandbox;
    if (!children_remove(pid, &sandbox)) continue;
    struct control_exited exited = {
        .type = CONTROL_EXITED,
        .sandbox = sandbox,
        .wait_status = status,
        .cpu_user_us = microseconds(usage.ru_utime),
        .cpu_system_us = microseconds(usage.ru_stime),
        .peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024u,
        .minor_faults = (uint64_t)usage.ru_minflt,
        .major_faults = (uint64_t)usage.ru_majflt,
        .voluntary_switches = (uint64_t)usage.ru_nvcsw,
        .involuntary_switches = (uint64_t)usage.ru_nivcsw,
    };
    if (WIFEXITED(status) && WEXITSTATUS(status) == STEP_FAILED_EXIT_CODE) {
      struct step_report report = failed_step(sandbox);
      exited.failed_step = report.step;
      exited.failed_error = report.error;
    }
    channel_send(&exited, sizeof exited, -1);
  }
}

/* Until the control socket ends. Returns the exit code. */
static int serve(void *sandbox_stack) {
  sigset_t none;
  sigemptyset(&none);
  for (;;) {
    struct pollfd control = {.fd = CONTROL_DESCRIPTOR, .events = channel_is_backlogged() ? POLLOUT : POLLIN};
    int ready = ppoll(&control, 1, NULL, &none);
    if (ready < 0 && errno != EINTR) return 1;
    reap();
    if (ready <= 0) continue;
    channel_flush();
    while (!channel_is_backlogged()) {
      struct request request;
      enum received received = channel_receive(&request);
      if (received == RECEIVED_END) return 0;
      if (received == RECEIVED_NOTHING) break;
      if (received == RECEIVED_DEMOTE) demote_busy_sandboxes(request.number);
      else spawn(&request, sandbox_stack);
    }
    if (channel_is_backlogged() && (control.revents & (POLLHUP | POLLERR))) return 0;
  }
}

static ucontext_t loop;
static void *stack_of_sandboxes;

static void enter_loop(void) { _exit(serve(stack_of_sandboxes)); }

void serve_sandboxes(const struct sandbox_settings *chosen) {
  settings = chosen;
  stack_of_sandboxes = (void *)((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)63);
  if (getcontext(&loop) < 0) _exit(1);
  loop.uc_stack.ss_sp = loop_stack;
  loop.uc_stack.ss_size = LOOP_STACK_BYTES;
  makecontext(&loop, enter_loop, 0);
  (void)setcontext(&loop);
  _exit(1);
}
