/*
 * A runner that is an attacker: linked with the launcher in place of the real one, for tests only, never shipped. It stands
 * where a runner would that a program has taken over: after the last confinement step, with all that a sandbox has left.
 *
 * It reads one request from the bridge, a struct probe_request, makes that system call, and writes back what it returned.
 * A call that is not allowed kills the process instead.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/runner.h"

struct probe_request {
  int64_t number;
  int64_t arguments[6];
};

void runner_on_guest_stack(int (*continuation)(void *), void *argument) { exit(continuation(argument)); }

int runner_initialise(const struct runner_ceilings *ceilings, char *error, size_t error_size) {
  (void)ceilings, (void)error, (void)error_size;
  return 0;
}

int runner_rehearse(char *error, size_t error_size) {
  (void)error, (void)error_size;
  return 0;
}

int runner_after_clone(void) { return 0; }

const char *runner_engine_version(void) { return "none"; }

int runner_execute(int fd) {
  struct probe_request request;
  if (read(fd, &request, sizeof request) != sizeof request) return 2;
  const int64_t *a = request.arguments;
  int64_t result = syscall(request.number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result < 0) result = -errno;
  return write(fd, &result, sizeof result) == sizeof result ? 0 : 1;
}
