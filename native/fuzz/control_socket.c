#include "control_socket.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claim.h"
#include "control/control.h"

static int host = -1;
static int files[2] = {-1, -1}; /* what is sent beside packets, in turn */

/* What was open before the first packet was not received. */
#define MOST_OPEN 64
static bool was_open[MOST_OPEN];
static int received_end; /* above all numbers that the descriptors of the last packet can have: they get the lowest free ones */

/* Above what the launcher's end has to be. */
static int moved(int descriptor) {
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, CONTROL_DESCRIPTOR + 1);
  claim(copy >= 0 && close(descriptor) == 0, "a descriptor can be moved");
  return copy;
}

void control_socket_open(void) {
  if (host >= 0) return;
  int ends[2];
  claim(fcntl(CONTROL_DESCRIPTOR, F_GETFD) < 0, "nobody else has the control descriptor");
  claim(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "there are descriptors for a socket");
  int null = open("/dev/null", O_RDWR | O_CLOEXEC), zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
  claim(null >= 0 && zero >= 0, "there are files to send");
  host = moved(ends[0]);
  files[0] = moved(null);
  files[1] = moved(zero);
  int launcher = moved(ends[1]);
  claim(dup3(launcher, CONTROL_DESCRIPTOR, O_CLOEXEC) == CONTROL_DESCRIPTOR, "one end is the control descriptor");
  claim(close(launcher) == 0, "and nothing else is");
  for (int number = 0; number < MOST_OPEN; number++) was_open[number] = fcntl(number, F_GETFD) >= 0;
}

void control_socket_send(const uint8_t *bytes, size_t length, unsigned descriptor_count) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_SENT_DESCRIPTORS * sizeof(int))];
  } ancillary = {0};
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    message.msg_control = &ancillary;
    message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
    ancillary.header.cmsg_level = SOL_SOCKET;
    ancillary.header.cmsg_type = SCM_RIGHTS;
    ancillary.header.cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
    for (unsigned index = 0; index < descriptor_count; index++)
      memcpy(CMSG_DATA(&ancillary.header) + index * sizeof(int), &files[index % 2], sizeof(int));
  }
  received_end = MOST_OPEN + (int)descriptor_count;
  claim(sendmsg(host, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)length, "the socket has room for one packet");
}

void control_socket_take(int descriptor, unsigned index) {
  struct stat received, sent;
  claim(fstat(descriptor, &received) == 0 && fstat(files[index % 2], &sent) == 0, "a descriptor of a request is open");
  claim(received.st_rdev == sent.st_rdev && received.st_ino == sent.st_ino,
        "a request has the descriptors that were sent, in their order");
  claim(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, "no program that is executed inherits them");
  close(descriptor);
}

unsigned control_socket_close_received(void) {
  unsigned count = 0;
  for (int number = 0; number < received_end; number++)
    if ((number >= MOST_OPEN || !was_open[number]) && close(number) == 0) count++;
  return count;
}
