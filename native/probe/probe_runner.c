/*
 * A runner that is an attacker: linked with the launcher in place of the real one, for tests only, never shipped. It stands
 * where a runner would that a program has taken over: after the last confinement step, with all that a sandbox has left.
 *
 * It reads one request from the bridge, a struct probe_request, makes that system call, and writes back what it returned.
 * A call that is not allowed kills the process instead. In a pool, which sends frames, it floods: see below.
 */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
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

/*
 * What a pool sends is a frame, and the program in it says what becomes of the pool: "flood DESCRIPTOR BYTES" writes as many
 * bytes that are no frame, as fast as they are taken.
 */
static int flood(const char *frame) {
  static char garbage[1 << 16];
  int descriptor;
  long long left;
  const char *order = strstr(frame, "flood ");
  if (!order || sscanf(order, "flood %d %lld", &descriptor, &left) != 2) return 3;
  memset(garbage, 'x', sizeof garbage);
  while (left > 0) {
    size_t length = left < (long long)sizeof garbage ? (size_t)left : sizeof garbage;
    ssize_t written = write(descriptor, garbage, length);
    if (written < 0 && errno != EAGAIN) return 4;
    if (written > 0) left -= written;
    struct pollfd room = {.fd = descriptor, .events = POLLOUT};
    if (written < 0 && ppoll(&room, 1, NULL, NULL) < 0) return 5;
  }
  return 0;
}

int runner_execute(int fd) {
  union {
    struct probe_request request;
    char frame[1 << 14];
  } received;
  ssize_t length = read(fd, &received, sizeof received - 1);
  if (length <= 0) return 2;
  if (length != sizeof received.request) { /* every frame that starts a program is longer */
    received.frame[length] = '\0';
    return flood(received.frame);
  }
  const struct probe_request request = received.request;
  const int64_t *a = request.arguments;
  int64_t result = syscall(request.number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result < 0) result = -errno;
  return write(fd, &result, sizeof result) == sizeof result ? 0 : 1;
}
