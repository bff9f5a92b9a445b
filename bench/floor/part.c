/* One process of the floor; see part.h. The steps and their order are those of the launcher's main.c. */
#include "part.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "failure.h"
#include "host.h"
#include "launcher/launcher.h"
#include "runner/clock.h"
#include "runner/runner.h"
#include "sandbox.h"

/* Executions of each slot before the first that counts. */
#define WARM_UP_ROUNDS 4

static void set_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++)
    if (number != SIGKILL && number != SIGSTOP) (void)sigaction(number, &action, NULL); /* refused: glibc's own two */
  sigset_t mask;
  sigemptyset(&mask);
  if (sigprocmask(SIG_SETMASK, &mask, NULL) < 0) launcher_fail(STEP_SET_SIGNALS, errno, NULL);
}

static void confine(const struct sandbox_settings *settings) {
  enter_namespaces();
  enter_empty_root();
  set_signals();
  char error[256];
  if (runner_initialise(&default_ceilings, error, sizeof error) < 0) launcher_fail(STEP_INITIALISE_ENGINE, 0, error);
  if (runner_rehearse(error, sizeof error) < 0) launcher_fail(STEP_REHEARSE, 0, error);
  sandbox_prepare(settings);
}

/* Until the process that started this one says so; or for good, if it is gone. */
static void await_begin(void) {
  char word = '!';
  if (write(CONTROL_DESCRIPTOR, &word, sizeof word) != sizeof word) _exit(1);
  if (read(CONTROL_DESCRIPTOR, &word, sizeof word) != sizeof word) _exit(1);
}

void part_run(const struct options *options, unsigned in_flight, const struct workload *workload,
              struct measurement *measurement, struct part_report *report) {
  const struct sandbox_settings settings = {
      .namespaces = options->strict ? CONTROL_NAMESPACES_OWN : CONTROL_NAMESPACES_SHARED, .cpu_ms = default_ceilings.cpu_ms};
  confine(&settings);
  struct measurement *warm_up = measurement_map(in_flight * WARM_UP_ROUNDS, 1);
  measurement_keep_from_clones(warm_up);
  measurement_keep_from_clones(measurement);
  struct host *host = host_make(workload, in_flight, options->warm);
  harden_launcher(&settings);

  host_run(host, warm_up, warm_up->reports);
  await_begin();
  host_run(host, measurement, report);
  host_close(host);
  _exit(0);
}
