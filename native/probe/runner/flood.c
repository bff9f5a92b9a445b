/*
 * What becomes of a pool whose runner was taken over: bytes that are no frame, as fast as they are taken. A pool sends a frame,
 * and the program in it is the order.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attacker.h"

int flood(const char *frame) {
  static char garbage[1 << 16];
  int descriptor;
  long long left;
  const char *order = strstr(frame, "flood ");
  if (!order || sscanf(order, "flood %d %lld", &descriptor, &left) != 2) return 3;
  memset(garbage, 'x', sizeof garbage);
  while (left > 0) {
    size_t size = left < (long long)sizeof garbage ? (size_t)left : sizeof garbage;
    ssize_t written = write(descriptor, garbage, size);
    if (written < 0 && errno != EAGAIN) return 4;
    if (written > 0) left -= written;
    struct pollfd room = {.fd = descriptor, .events = POLLOUT};
    if (written < 0 && ppoll(&room, 1, NULL, NULL) < 0) return 5;
  }
  return 0;
}
