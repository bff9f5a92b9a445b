/*
 * Fuzz target: how a launcher looks at the request for a command. In this process, whose descriptor 3 is a control socket.
 *
 * An input is one packet: one byte for the number of descriptors beside it, and its bytes. What is seen must be what the protocol
 * says, by a second, simpler reading of it; a request that is taken has every descriptor that was sent, and the packet stays in the
 * socket until it is dropped.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "claim.h"
#include "command/command.h"
#include "control_socket.h"
#include "launcher/launcher.h"

#define LONGEST_PACKET 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void launcher_fail(enum confinement_step step, int error, const char *detail) {
  (void)step, (void)error, (void)detail;
  claim(false, "no call fails here");
  abort();
}

/* The protocol in words: four numbers, and as many descriptors as they say. */
static bool is_request(const uint8_t *bytes, size_t length, unsigned descriptor_count) {
  struct control_command request;
  if (length != sizeof request) return false;
  memcpy(&request, bytes, sizeof request);
  if (request.type != CONTROL_COMMAND || request.version != CONTROL_VERSION) return false;
  uint64_t own = request.io == CONTROL_IO_DUPLEX ? 3 : request.io == CONTROL_IO_INHERIT ? 4 : UINT32_MAX;
  return request.preserved <= CONTROL_PRESERVED && descriptor_count == own + request.preserved;
}

static void take(const struct descriptors *seen, int plan, unsigned descriptor_count) {
  unsigned index = 0;
  control_socket_take(plan, index++);
  if (seen->bridge >= 0) {
    claim(seen->input == STDIN_FILENO && seen->output == seen->diagnostics, "a bridge has one pipe beside it");
    control_socket_take(seen->bridge, index++);
  } else {
    control_socket_take(seen->input, index++);
    control_socket_take(seen->output, index++);
  }
  control_socket_take(seen->diagnostics, index++);
  for (uint32_t number = 0; number < seen->preserved_count; number++) control_socket_take(seen->preserved[number], index++);
  claim(index == descriptor_count, "every descriptor that was sent is one of the request");
  claim(seen->ruleset == -1, "there is no ruleset yet");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0; /* an empty packet is not to be told from the end of the socket */
  control_socket_open();
  unsigned descriptor_count = data[0] % (MOST_SENT_DESCRIPTORS + 1);
  size_t length = size - 1 > LONGEST_PACKET ? LONGEST_PACKET : size - 1;
  data++;
  control_socket_send(data, length, descriptor_count);
  struct descriptors seen;
  memset(&seen, 0xA5, sizeof seen);
  int plan = 0;
  const char *wrong = look_at_request(&seen, &plan);
  claim((wrong == NULL) == is_request(data, length, descriptor_count), "a packet is taken for what it is");
  if (wrong == NULL) {
    take(&seen, plan, descriptor_count);
    claim(control_socket_close_received() == 0, "nothing was received that nobody has");
  }
  control_socket_close_received(); /* the launcher ends when something is wrong */
  uint8_t left[LONGEST_PACKET];
  claim(recv(CONTROL_DESCRIPTOR, left, sizeof left, MSG_DONTWAIT) == (ssize_t)length && memcmp(left, data, length) == 0,
        "the packet stays until it is dropped");
  return 0;
}
