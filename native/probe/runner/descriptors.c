/* What is open, and what can be done with what is. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "attacker.h"

/* By ppoll(), which tells of a number that is not open; no more than four fit into one call. */
static void open_ones(char **arguments) {
  (void)arguments;
  static char list[1024];
  size_t length = 0;
  unsigned unknown = 0;
  const struct timespec now = {0, 0};
  for (int first = 0; first < 1024; first += 4) {
    struct pollfd each[4];
    for (int i = 0; i < 4; i++) each[i] = (struct pollfd){.fd = first + i, .events = POLLIN};
    if (ppoll(each, 4, &now, NULL) < 0) unknown++;
    for (int i = 0; i < 4 && length < sizeof list - 8; i++)
      if (!(each[i].revents & POLLNVAL))
        length += (size_t)snprintf(list + length, sizeof list - length, length ? " %d" : "%d", first + i);
  }
  report_text("open", list);
  report_number("not answered", unknown);
}

/* Everything is given up, and then used: nothing can have come to stand in its place. */
static void closed(char **arguments) {
  (void)arguments;
  char byte = 0;
  static const char *const names[] = {"close 0", "close 1", "close 2"};
  for (int number = 0; number < 3; number++) report(names[number], raw_call(SYS_close, number, 0, 0, 0, 0, 0));
  report("write 1", raw_call(SYS_write, 1, (long)&byte, 1, 0, 0, 0));
  report("write 2", raw_call(SYS_write, 2, (long)&byte, 1, 0, 0, 0));
  report("close of one that never was", raw_call(SYS_close, 77, 0, 0, 0, 0, 0));
}

/* A descriptor handed to the host: it must not come to have it. */
static void sends_descriptor(char **arguments) {
  (void)arguments;
  char byte = 0;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } ancillary = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
  ancillary.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  report("sendmsg", raw_call(SYS_sendmsg, 3, (long)&message, 0, 0, 0, 0));
}

/* A message with room for descriptors: whether the host, or a sibling, has sent any. */
static void takes_descriptors(char **arguments) {
  (void)arguments;
  char byte, room[CMSG_SPACE(8 * sizeof(int))];
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  report("recvmsg", raw_call(SYS_recvmsg, 3, (long)&message, MSG_DONTWAIT, 0, 0, 0));
}

/* Says so many bytes on the bridge as fast as it can: what is not JSON, and has no end of a line. */
static void floods(char **arguments) {
  static char much[65536];
  memset(much, 'x', sizeof much);
  struct pollfd bridge = {.fd = 3, .events = POLLOUT};
  for (long left = argument_value(arguments[0]); left > 0;) {
    long count = raw_call(SYS_write, 3, (long)much, sizeof much, 0, 0, 0);
    if (count > 0) left -= count;
    else if (count == -EAGAIN) (void)ppoll(&bridge, 1, NULL, NULL);
    else _exit(122);
  }
}

const struct attack descriptor_attacks[] = {
    {"descriptors", open_ones},
    {"closed", closed},
    {"sends-descriptor", sends_descriptor},
    {"takes-descriptors", takes_descriptors},
    {"floods", floods},
    {NULL, NULL},
};
