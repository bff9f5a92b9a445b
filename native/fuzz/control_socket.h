/* A control socket in the process of a fuzz target: its descriptor 3 is the launcher's end. */
#ifndef WARDENPOOL_CONTROL_SOCKET_H
#define WARDENPOOL_CONTROL_SOCKET_H

#include <stddef.h>
#include <stdint.h>

#define MOST_SENT_DESCRIPTORS 253 /* what the kernel lets a packet have */

/* Does nothing when there is one already. */
void control_socket_open(void);

/* A packet from the host, with descriptors of /dev/null and /dev/zero in turn beside it. */
void control_socket_send(const uint8_t *bytes, size_t length, unsigned descriptor_count);

/* Claims that this is the descriptor which was sent as the `index`th, and that no program which is executed inherits it. Closes it. */
void control_socket_take(int descriptor, unsigned index);

/* Closes whatever was received and is still open. Returns how many those were. */
unsigned control_socket_close_received(void);

#endif
