/*
 * The floor of the benchmark: what the kernel and the engine cost by themselves, with nothing between them but C.
 *
 * Theory of operation. Each process that this one starts is a zygote and its own host. It takes the launcher's steps
 * in the launcher's order and with the launcher's code; then, in place of serving requests over a control socket, it
 * makes the socket pairs itself, clones the sandboxes, and speaks code-bridge-v1 with them. No descriptor is passed,
 * no second process is asked and nothing is parsed that need not be. A sandbox takes every step of confinement
 * (child.c) and runs the same engine on the same frames as in a pool with default limits. What differs from a pool's
 * sandbox: the first of the two filters also lets through what a host needs (allow_list.h), and a clone closes the
 * host's ends of its siblings' bridges, which a launcher never has.
 *
 * The processes prepare side by side, start to measure at the same moment, and take executions from one counter.
 * This one only waits meanwhile, and then prints one line of JSON.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "failure.h"
#include "measurement.h"
#include "options.h"
#include "parts.h"
#include "runner/runner.h"
#include "workload.h"

/* Standard input is the sandboxes' too, and they are to have nothing there. */
static void empty_standard_input(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0) fail_with_errno("cannot put /dev/null in place of standard input");
  close(null);
}

static int measure(void *pointer) {
  struct options *options = pointer;
  struct workload workload = workload_make(options->program, options->tools, options->tool_count);
  if (options->show_frame) {
    if (write(STDOUT_FILENO, workload.execute, workload.execute_length) != (ssize_t)workload.execute_length)
      fail_with_errno("cannot write the execute frame");
    return EXIT_SUCCESS;
  }
  workload_expect_from(&workload, STDIN_FILENO);
  empty_standard_input();
  struct measurement *measurement = measurement_map(options->count, options->processes);
  parts_run(options, &workload, measurement);
  measurement_print(measurement);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  static struct options options;
  options = options_parse(argc, argv);
  runner_on_guest_stack(measure, &options);
}
