/* The request for a command, as it lies in the control socket. */
#include "command.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launcher/launcher.h"

/* The plan, three or fewer for the command, and those to be preserved. */
#define MOST_DESCRIPTORS (1 + 3 + CONTROL_PRESERVED)

const char *look_at_request(struct descriptors *descriptors, int *plan) {
  struct control_command request;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
  } ancillary;
  struct iovec part = {.iov_base = &request, .iov_len = sizeof request};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
  ssize_t length = recvmsg(CONTROL_DESCRIPTOR, &message, MSG_CMSG_CLOEXEC | MSG_PEEK);
  if (length < 0) launcher_fail(STEP_RECEIVE_CONFIGURATION, errno, NULL);
  *plan = -1;
  if (length == 0) return NULL;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (length != sizeof request || request.type != CONTROL_COMMAND || request.version != CONTROL_VERSION ||
      (request.io != CONTROL_IO_DUPLEX && request.io != CONTROL_IO_INHERIT) || !header ||
      header->cmsg_type != SCM_RIGHTS || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
    return "the host speaks another version of the control protocol";
  static int received[MOST_DESCRIPTORS];
  uint32_t count = (uint32_t)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
  memcpy(received, CMSG_DATA(header), count * sizeof(int));
  uint32_t used = request.io == CONTROL_IO_DUPLEX ? 3 : 4;
  if (count < used || count - used != request.preserved) return "a descriptor is missing";

  *descriptors = request.io == CONTROL_IO_DUPLEX
                     ? (struct descriptors){received[1], STDIN_FILENO, received[2], received[2], 0, NULL, -1}
                     : (struct descriptors){-1, received[1], received[2], received[3], 0, NULL, -1};
  descriptors->preserved_count = request.preserved;
  descriptors->preserved = received + used;
  *plan = received[0];
  return NULL;
}
