/* A sandbox as its host has it; see sandbox.h. */
#include "sandbox.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "launcher/allow_list.h"

/* One of each for all sandboxes: nobody reads them until something has gone wrong. */
static int report_pipe[2], diagnostics_pipe[2];
static const struct sandbox_settings *settings;

void sandbox_prepare(const struct sandbox_settings *all_settings) {
  settings = all_settings;
  if (pipe2(report_pipe, O_CLOEXEC | O_NONBLOCK) < 0 || pipe2(diagnostics_pipe, O_CLOEXEC | O_NONBLOCK) < 0)
    fail_with_errno("cannot make the pipes for reports and diagnostics");
}

struct sandbox sandbox_clone(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
    fail_with_errno("cannot make a bridge");
  struct sandbox sandbox = {.bridge = pair[0]};
  unsigned long flags = settings->namespaces == CONTROL_NAMESPACES_OWN ? STRICT_CLONE_FLAGS : SANDBOX_CLONE_FLAGS;
  sandbox.pid = (pid_t)syscall(SYS_clone, flags, NULL, &sandbox.process, NULL, 0);
  if (sandbox.pid == 0) run_sandbox(0, pair[1], diagnostics_pipe[1], report_pipe[1], settings);
  if (sandbox.pid < 0) fail_with_errno("cannot clone a sandbox");
  close(pair[1]);
  return sandbox;
}

int sandbox_reap(struct sandbox *sandbox, struct rusage *usage) {
  int status;
  if (wait4(sandbox->pid, &status, __WALL, usage) < 0) fail_with_errno("cannot wait for a sandbox");
  close(sandbox->process);
  close(sandbox->bridge);
  sandbox->pid = 0;
  return status;
}

void sandbox_discard(struct sandbox *sandbox) {
  close(sandbox->bridge);
  if (wait4(sandbox->pid, NULL, __WALL, NULL) < 0) fail_with_errno("cannot wait for a sandbox");
  close(sandbox->process);
  sandbox->pid = 0;
}

void sandbox_fail_for_end(int status) {
  char diagnostics[512] = "";
  ssize_t length = read(diagnostics_pipe[0], diagnostics, sizeof diagnostics - 1);
  diagnostics[length > 0 ? length : 0] = 0;
  struct step_report report;
  if (WIFEXITED(status) && WEXITSTATUS(status) == STEP_FAILED_EXIT_CODE &&
      read(report_pipe[0], &report, sizeof report) == sizeof report)
    fail("a sandbox could not %s: %s", step_text(report.step), strerror(report.error));
  if (WIFEXITED(status)) fail("a sandbox exited with code %d. %s", WEXITSTATUS(status), diagnostics);
  fail("a sandbox was killed by signal %d. %s", WTERMSIG(status), diagnostics);
}
