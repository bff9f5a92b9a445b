/*
 * Fuzz target: what a zygote does with packets on its control socket. In this process, whose descriptor 3 is such a socket.
 *
 * An input is a list of packets: one byte for the number of descriptors beside it, one for its length, and its bytes. What is
 * received must be what the protocol says of each, by a second, simpler reading of it; and a request has the descriptors that were
 * sent, and leaves them to nobody else.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claim.h"
#include "control/control.h"
#include "launcher/channel.h"

#define LONGEST_PACKET 64
#define MOST_DESCRIPTORS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In place of the zygote's, whose memory is not for clones: here there are none. */
void *map_for_zygote_only(size_t size);
void *map_for_zygote_only(size_t size) { return calloc(1, size); }

static int host = -1;
static int first_file = -1, second_file = -1; /* what is sent beside packets, in turn */

static void prepare(void) {
  int ends[2];
  claim(fcntl(CONTROL_DESCRIPTOR, F_GETFD) < 0, "nobody else has the control descriptor");
  claim(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "there are descriptors for a socket");
  host = fcntl(ends[0], F_DUPFD_CLOEXEC, CONTROL_DESCRIPTOR + 1);
  int launcher = fcntl(ends[1], F_DUPFD_CLOEXEC, CONTROL_DESCRIPTOR + 1);
  claim(host >= 0 && launcher >= 0 && close(ends[0]) == 0 && close(ends[1]) == 0, "its ends can be moved");
  first_file = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (first_file == CONTROL_DESCRIPTOR) {
    first_file = fcntl(first_file, F_DUPFD_CLOEXEC, CONTROL_DESCRIPTOR + 1);
    close(CONTROL_DESCRIPTOR);
  }
  claim(dup3(launcher, CONTROL_DESCRIPTOR, O_CLOEXEC) == CONTROL_DESCRIPTOR, "one is the control descriptor");
  second_file = open("/dev/zero", O_RDWR | O_CLOEXEC);
  claim(first_file >= 0 && second_file >= 0 && close(launcher) == 0, "there are files to send");
}

static void send_to_launcher(const uint8_t *bytes, size_t length, unsigned descriptor_count) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
  } ancillary = {0};
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  const int files[MOST_DESCRIPTORS] = {first_file, second_file, first_file, second_file};
  if (descriptor_count > 0) {
    message.msg_control = &ancillary;
    message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
    ancillary.header.cmsg_level = SOL_SOCKET;
    ancillary.header.cmsg_type = SCM_RIGHTS;
    ancillary.header.cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(&ancillary.header), files, descriptor_count * sizeof(int));
  }
  claim(sendmsg(host, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)length, "the socket has room for one packet");
}

/* The protocol in words: eight bytes; two descriptors beside SPAWN, none beside DEMOTE; all else ends it. */
static enum received expected_of(const uint8_t *bytes, size_t length, unsigned descriptor_count) {
  uint32_t type;
  if (length != 8) return RECEIVED_END;
  memcpy(&type, bytes, sizeof type);
  if (type == CONTROL_SPAWN && descriptor_count == 2) return RECEIVED_SPAWN;
  if (type == CONTROL_DEMOTE && descriptor_count == 0) return RECEIVED_DEMOTE;
  return RECEIVED_END;
}

static bool is_same_file(int one, int other) {
  struct stat first, second;
  claim(fstat(one, &first) == 0 && fstat(other, &second) == 0, "a descriptor of a request is open");
  return first.st_rdev == second.st_rdev && first.st_ino == second.st_ino;
}

static void take_descriptors(const struct request *request) {
  claim(is_same_file(request->bridge, first_file) && is_same_file(request->diagnostics, second_file),
        "a request has the descriptors that were sent, in their order");
  claim(fcntl(request->bridge, F_GETFD) & FD_CLOEXEC && fcntl(request->diagnostics, F_GETFD) & FD_CLOEXEC,
        "no program that is executed inherits them");
  close(request->bridge);
  close(request->diagnostics);
}

/* An end may leave descriptors behind, as the launcher ends too. */
static void close_left(void) {
  int next = second_file + 1;
  while (close(next) == 0) next++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (host < 0) prepare();
  while (size >= 2) {
    unsigned descriptor_count = data[0] % (MOST_DESCRIPTORS + 1);
    size_t length = data[1] % (LONGEST_PACKET + 1);
    data += 2, size -= 2;
    if (length > size) length = size;
    send_to_launcher(data, length, descriptor_count);
    struct request request;
    memset(&request, 0xA5, sizeof request);
    enum received received = channel_receive(&request);
    claim(received == expected_of(data, length, descriptor_count), "a packet is taken for what it is");
    if (received == RECEIVED_SPAWN || received == RECEIVED_DEMOTE)
      claim(memcmp(&request.number, data + 4, sizeof request.number) == 0, "a request has the number that was sent");
    if (received == RECEIVED_SPAWN) take_descriptors(&request);
    close_left();
    claim(channel_receive(&request) == RECEIVED_NOTHING, "a packet is taken once");
    data += length, size -= length;
  }
  return 0;
}
