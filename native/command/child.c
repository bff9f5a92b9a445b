/*
 * The command's process, from its clone to its exec. It shares nothing with the launcher but what a fork shares; it
 * allocates nothing, and reports the step that failed on a pipe that the exec closes.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command.h"
#include "launcher/launcher.h"

#define BRIDGE_DESCRIPTOR 3

static int report_descriptor, ruleset_descriptor;

__attribute__((noreturn)) static void fail(enum confinement_step step) {
  struct step_report report = {0, step, errno};
  (void)!write(report_descriptor, &report, sizeof report);
  _exit(STEP_FAILED_EXIT_CODE);
}

/* A copy above all numbers that descriptors are to be placed at; closed by the exec. */
static int moved_above(int descriptor, int lowest) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
  if (copy < 0) fail(STEP_PLACE_COMMAND_DESCRIPTORS);
  return copy;
}

static void place(int descriptor, int number) {
  if (dup3(descriptor, number, 0) < 0) fail(STEP_PLACE_COMMAND_DESCRIPTORS);
}

static void place_descriptors(const struct plan *plan, const struct descriptors *descriptors) {
  uint32_t highest = BRIDGE_DESCRIPTOR;
  for (uint32_t i = 0; i < descriptors->preserved_count; i++)
    if (plan->preserved[i] > highest) highest = plan->preserved[i];
  /* The numbers may be higher than the soft limit allows; it is the plan's again in limit_command(). */
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) fail(STEP_PLACE_COMMAND_DESCRIPTORS);
  const struct rlimit raised = {limit.rlim_max, limit.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &raised) < 0) fail(STEP_PLACE_COMMAND_DESCRIPTORS);

  int above = (int)highest + 1;
  report_descriptor = moved_above(report_descriptor, above);
  ruleset_descriptor = descriptors->ruleset < 0 ? -1 : moved_above(descriptors->ruleset, above);
  int input = moved_above(descriptors->input, above), output = moved_above(descriptors->output, above);
  int diagnostics = moved_above(descriptors->diagnostics, above);
  int bridge = descriptors->bridge < 0 ? -1 : moved_above(descriptors->bridge, above);
  for (uint32_t i = 0; i < descriptors->preserved_count; i++)
    descriptors->preserved[i] = moved_above(descriptors->preserved[i], above);

  /* Whatever is below and not placed is the launcher's. */
  if (syscall(SYS_close_range, 0u, highest, 0) < 0) fail(STEP_PLACE_COMMAND_DESCRIPTORS);
  place(input, STDIN_FILENO);
  place(output, STDOUT_FILENO);
  place(diagnostics, STDERR_FILENO);
  if (bridge >= 0) place(bridge, BRIDGE_DESCRIPTOR);
  for (uint32_t i = 0; i < descriptors->preserved_count; i++) place(descriptors->preserved[i], (int)plan->preserved[i]);
  if (syscall(SYS_close_range, (unsigned)above, ~0u, CLOSE_RANGE_CLOEXEC) < 0) fail(STEP_PLACE_COMMAND_DESCRIPTORS);
  if (setrlimit(RLIMIT_NOFILE, &limit) < 0) fail(STEP_PLACE_COMMAND_DESCRIPTORS);
}

static void limit_resource(int resource, uint64_t value) {
  if (value == UINT64_MAX) return;
  struct rlimit limit;
  if (getrlimit(resource, &limit) < 0) fail(STEP_COMMAND_LIMITS);
  if (limit.rlim_max > value) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(resource, &limit) < 0) fail(STEP_COMMAND_LIMITS);
}

/*
 * CORE is 1, not 0: with 0 a core_pattern that is a pipe would still be run, and a command is dumpable. CPU kills at its
 * hard limit; at the soft one, a second before, comes SIGXCPU.
 */
static void limit_command(const struct plan *plan) {
  limit_resource(RLIMIT_CORE, 1);
  limit_resource(RLIMIT_MEMLOCK, 65536);
  limit_resource(RLIMIT_MSGQUEUE, 0);
  limit_resource(RLIMIT_NICE, 0);
  limit_resource(RLIMIT_RTPRIO, 0);
  limit_resource(RLIMIT_FSIZE, plan->limits[LIMIT_FILE_BYTES]);
  limit_resource(RLIMIT_NOFILE, plan->limits[LIMIT_OPEN_FILES]);
  limit_resource(RLIMIT_NPROC, plan->limits[LIMIT_PROCESSES]);
  limit_resource(RLIMIT_DATA, plan->limits[LIMIT_DATA_BYTES]);
  uint64_t seconds = plan->limits[LIMIT_CPU_SECONDS];
  if (seconds == UINT64_MAX) return;
  limit_resource(RLIMIT_CPU, seconds + 1);
  const struct rlimit cpu = {seconds, seconds + 1};
  if (setrlimit(RLIMIT_CPU, &cpu) < 0) fail(STEP_COMMAND_LIMITS);
}

void execute_command(const struct plan *plan, const struct descriptors *descriptors, int report,
                     const struct filter *filter, pid_t launcher) {
  report_descriptor = report;
  place_descriptors(plan, descriptors);
  /* Without a terminal, so that nothing can be typed into the caller's. */
  if (setsid() < 0) fail(STEP_COMMAND_SESSION);
  for (int number = 1; number < NSIG; number++)
    if (number != SIGKILL && number != SIGSTOP) (void)signal(number, SIG_DFL); /* refused: glibc's own two */
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  umask(022);
  /* A PID namespace ends with its launcher; where there is none, at least the command itself does, also if that was just now. */
  if (!(plan->flags & PLAN_NAMESPACES) && (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != launcher))
    fail(STEP_COMMAND_SESSION);
  if (chdir(plan->directory) < 0) fail(STEP_ENTER_DIRECTORY);
  limit_command(plan);
  if (plan->flags & PLAN_FILTER) {
    if (keep_capabilities(0) < 0) fail(STEP_COMMAND_CAPABILITIES);
    if (ruleset_descriptor >= 0 && syscall(SYS_landlock_restrict_self, ruleset_descriptor, 0) < 0)
      fail(STEP_COMMAND_LANDLOCK);
    if (install_filter(filter) < 0) fail(STEP_COMMAND_FILTER);
  }
  (void)execve(plan->executable, plan->arguments, plan->environment);
  fail(STEP_EXECUTE);
}
