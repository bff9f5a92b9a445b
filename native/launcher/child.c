/*
 * A sandbox, from the clone to the runner. The process is a copy of the zygote, as a rule PID 1 of a PID namespace of its
 * own. It allocates nothing, takes no lock, and reports the step that failed on a pipe that the later steps take away
 * from it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "allow_list.h"
#include "launcher.h"
#include "runner/runner.h"
#include "seccomp_filter.h"

#define BRIDGE_DESCRIPTOR 3

/* Where the descriptors of this sandbox are before they are placed; for fail(). */
static int report_descriptor;
static uint32_t sandbox_number;

__attribute__((noreturn)) static void fail(enum confinement_step step) {
  struct step_report report = {sandbox_number, step, errno};
  (void)!write(report_descriptor, &report, sizeof report);
  _exit(STEP_FAILED_EXIT_CODE);
}

static void place_descriptors(int bridge, int diagnostics) {
  if (dup3(diagnostics, STDOUT_FILENO, 0) < 0 || dup3(diagnostics, STDERR_FILENO, 0) < 0 ||
      dup3(bridge, BRIDGE_DESCRIPTOR, 0) < 0)
    fail(STEP_PLACE_DESCRIPTORS);
}

/*
 * NOFILE 4 and not 0, since ppoll() refuses more descriptors than the limit. NPROC counts the processes of the user, and
 * so means something only here: a clone would fail even if the filters did not kill it first. CPU is a backup of the runner's
 * own limit: at the first value SIGXCPU asks the runner to end, at the second the kernel kills it.
 */
static void limit_sandbox(uint64_t cpu_ms) {
  const struct rlimit descriptors = {4, 4}, processes = {0, 0};
  if (setrlimit(RLIMIT_NOFILE, &descriptors) < 0 || setrlimit(RLIMIT_NPROC, &processes) < 0) fail(STEP_SANDBOX_LIMITS);
  if (cpu_ms == 0) return;
  const rlim_t seconds = cpu_ms / 1000 + 1;
  const struct rlimit cpu = {seconds, seconds + 1};
  if (setrlimit(RLIMIT_CPU, &cpu) < 0) fail(STEP_SANDBOX_LIMITS);
}

void run_sandbox(uint32_t sandbox, int bridge, int diagnostics, int report, const struct sandbox_settings *settings) {
  sandbox_number = sandbox;
  report_descriptor = report;
  /* Nobody is less confined if it fails, as it does where the host itself gives way more than that. */
  (void)setpriority(PRIO_PROCESS, 0, SANDBOX_NICE);
  place_descriptors(bridge, diagnostics);
  /*
   * By default it stays in the launcher's session, where no call that it can make reaches another process: a session of its
   * own may also be a scheduling group of its own (autogroup), with as much claim to a CPU as the whole host process, whose
   * event loop then waits: p99 of its delay at 128 in flight 350 ms instead of 10 ms.
   */
  bool is_strict = settings->namespaces == CONTROL_NAMESPACES_OWN;
  if (is_strict && setsid() < 0) fail(STEP_SANDBOX_SESSION);
  if (runner_after_clone() < 0) fail(STEP_PREPARE_RUNNER);
  if (is_strict) { /* a new user namespace starts with a full bounding set and open securebits */
    if (clear_bounding_set() < 0) fail(STEP_SANDBOX_BOUNDING_SET);
    if (lock_securebits() < 0) fail(STEP_SANDBOX_SECUREBITS);
  }
  limit_sandbox(settings->cpu_ms);
  if (keep_capabilities(0) < 0) fail(STEP_DROP_CAPABILITIES);
  /* A backup only, where a PID namespace dies with the launcher. After capset, which might clear it. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) fail(STEP_SANDBOX_DEATH_SIGNAL);
  /* Without one there is nothing else, and the launcher may have died before this asked to die with it. */
  if (settings->namespaces == CONTROL_NAMESPACES_NONE && getppid() != settings->launcher) _exit(STEP_FAILED_EXIT_CODE);
  if (syscall(SYS_close_range, BRIDGE_DESCRIPTOR + 1, ~0u, 0) < 0) fail(STEP_CLOSE_DESCRIPTORS);
  /* From here on there is nobody to tell; the exit code says it without a step. */
  if (install_filter(&runner_filter) < 0) _exit(STEP_FAILED_EXIT_CODE);
  _exit(runner_execute(BRIDGE_DESCRIPTOR));
}
