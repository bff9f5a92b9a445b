/*
 * Fuzz target: what a zygote does with packets on its control socket. In this process, whose descriptor 3 is such a socket.
 *
 * An input is a list of packets: one byte for the number of descriptors beside it, one for its length, and its bytes. What is
 * received must be what the protocol says of each, by a second, simpler reading of it; and a request has the descriptors that were
 * sent, and leaves them to nobody else.
 */
#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "control/control.h"
#include "control_socket.h"
#include "launcher/channel.h"

#define LONGEST_PACKET 64
#define MOST_DESCRIPTORS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In place of the zygote's, whose memory is not for clones: here there are none. */
void *map_for_zygote_only(size_t size);
void *map_for_zygote_only(size_t size) { return calloc(1, size); }

/* The protocol in words: eight bytes; two descriptors beside SPAWN, none beside DEMOTE; all else ends it. */
static enum received expected_of(const uint8_t *bytes, size_t length, unsigned descriptor_count) {
  uint32_t type;
  if (length != 8) return RECEIVED_END;
  memcpy(&type, bytes, sizeof type);
  if (type == CONTROL_SPAWN && descriptor_count == 2) return RECEIVED_SPAWN;
  if (type == CONTROL_DEMOTE && descriptor_count == 0) return RECEIVED_DEMOTE;
  return RECEIVED_END;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  control_socket_open();
  while (size >= 2) {
    unsigned descriptor_count = data[0] % (MOST_DESCRIPTORS + 1);
    size_t length = data[1] % (LONGEST_PACKET + 1);
    data += 2, size -= 2;
    if (length > size) length = size;
    control_socket_send(data, length, descriptor_count);
    struct request request;
    memset(&request, 0xA5, sizeof request);
    enum received received = channel_receive(&request);
    claim(received == expected_of(data, length, descriptor_count), "a packet is taken for what it is");
    if (received == RECEIVED_SPAWN || received == RECEIVED_DEMOTE)
      claim(memcmp(&request.number, data + 4, sizeof request.number) == 0, "a request has the number that was sent");
    if (received == RECEIVED_SPAWN) {
      control_socket_take(request.bridge, 0);
      control_socket_take(request.diagnostics, 1);
    }
    control_socket_close_received(); /* an end may leave descriptors behind, as the launcher ends too */
    claim(channel_receive(&request) == RECEIVED_NOTHING, "a packet is taken once");
    data += length, size -= length;
  }
  return 0;
}
