#include "channel.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launcher.h"

struct packet {
  union {
    struct control_spawned spawned;
    struct control_spawn_failed spawn_failed;
    struct control_exited exited;
  } body;
  uint16_t length;
  int16_t has_descriptor;
  int descriptor;
};

/* A ring that is all zero pages until the host stops reading. */
static struct packet *backlog;
static unsigned backlog_first, backlog_count;

int channel_prepare(void) {
  backlog = map_for_zygote_only(CHANNEL_BACKLOG * sizeof *backlog);
  return backlog ? 0 : -1;
}

union ancillary {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(2 * sizeof(int))];
};

enum received channel_receive(struct request *request) {
  _Static_assert(sizeof(struct control_spawn) == sizeof(struct control_demote), "the two are told apart by their type");
  struct control_spawn packet;
  union ancillary ancillary;
  struct iovec part = {.iov_base = &packet, .iov_len = sizeof packet};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
  ssize_t length = recvmsg(CONTROL_DESCRIPTOR, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return RECEIVED_NOTHING;
  /* The host never sends anything else; if it seems to, this end no longer knows what it is talking to. */
  if (length != sizeof packet || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return RECEIVED_END;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  request->number = packet.sandbox;
  if (packet.type == CONTROL_DEMOTE && !header) return RECEIVED_DEMOTE;
  if (packet.type != CONTROL_SPAWN) return RECEIVED_END;
  if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) return RECEIVED_END;
  int descriptors[2];
  memcpy(descriptors, CMSG_DATA(header), sizeof descriptors);
  request->bridge = descriptors[0];
  request->diagnostics = descriptors[1];
  return RECEIVED_SPAWN;
}

int send_packet(const void *packet, size_t length, int descriptor) {
  union ancillary ancillary;
  struct iovec part = {.iov_base = (void *)packet, .iov_len = length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    memset(&ancillary, 0, sizeof ancillary);
    message.msg_control = &ancillary;
    message.msg_controllen = CMSG_SPACE(sizeof(int));
    ancillary.header.cmsg_level = SOL_SOCKET;
    ancillary.header.cmsg_type = SCM_RIGHTS;
    ancillary.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&ancillary.header), &descriptor, sizeof descriptor);
  }
  if (sendmsg(CONTROL_DESCRIPTOR, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
    return -1;
  if (descriptor >= 0) close(descriptor);
  return 0;
}

void channel_send(const void *packet, size_t length, int descriptor) {
  if (backlog_count == 0 && send_packet(packet, length, descriptor) == 0) return;
  struct packet *kept = &backlog[(backlog_first + backlog_count++) % CHANNEL_BACKLOG];
  memcpy(&kept->body, packet, length);
  kept->length = (uint16_t)length;
  kept->has_descriptor = descriptor >= 0;
  kept->descriptor = descriptor;
}

bool channel_is_backlogged(void) { return backlog_count > 0; }

void channel_flush(void) {
  while (backlog_count > 0) {
    struct packet *kept = &backlog[backlog_first];
    if (send_packet(&kept->body, kept->length, kept->has_descriptor ? kept->descriptor : -1) < 0) return;
    backlog_first = (backlog_first + 1) % CHANNEL_BACKLOG;
    backlog_count--;
  }
}
