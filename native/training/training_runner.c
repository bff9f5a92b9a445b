/*
 * code-runner for the training of the engine: linked with an engine that counts which of its code runs, and how often.
 * It counts one program and not the initialisation before it, and adds the counts to those of the programs before.
 *
 *   training-runner ORDER      the program on descriptor 3; ORDER: its place among the programs, from 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

#include "runner.h"
#include "runner_process.h"

#define BRIDGE_DESCRIPTOR 3

/* More calls than a program makes; the compiler lays functions out by the first call of each, over all programs. */
#define CALLS_OF_A_PROGRAM 1000000000L

/* Of libgcov. */
void __gcov_reset(void);
void __gcov_dump(void);
extern long __gcov_time_profiler_counter;

static int train(void *order) {
  const struct runner_ceilings ceilings = {
      .memory_bytes = 64 << 20,
      .stack_bytes = 1 << 20,
      .timeout_ms = 60000,
      .max_calls = 64,
      .max_concurrent_calls = 16,
      .max_frame_bytes = 1 << 20,
      .max_result_bytes = 512 << 10,
      .max_log_bytes = 64 << 10,
  };
  char error[256];
  if (runner_initialise(&ceilings, error, sizeof error) != 0 || runner_prepare_process(BRIDGE_DESCRIPTOR) != 0) {
    fprintf(stderr, "training-runner: the engine could not be started: %s\n", error);
    return 1;
  }
  __gcov_reset();
  __gcov_time_profiler_counter = 1 + CALLS_OF_A_PROGRAM * atol(order);
  int status = runner_execute(BRIDGE_DESCRIPTOR);
  __gcov_dump();
  return status;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2) return 2;
  /* So that the counts, which have something of addresses in them, are the same each time. Where it is refused, they are
     just not. */
  if (personality(0xffffffff) == PER_LINUX && personality(ADDR_NO_RANDOMIZE) >= 0) execv("/proc/self/exe", arguments);
  runner_on_guest_stack(train, arguments[1]);
}
