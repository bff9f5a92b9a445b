/* The launcher's end of the control socket: packets with descriptors in, packets with at most one descriptor out. */
#ifndef WARDENPOOL_CHANNEL_H
#define WARDENPOOL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sends a packet and closes `descriptor` (-1: none). 0, also when there is nobody to send to any more; -1 when the socket is full. */
int send_packet(const void *packet, size_t length, int descriptor);

/* Maps the room for what is kept. 0, or -1 with errno. */
int channel_prepare(void);

enum received { RECEIVED_NOTHING, RECEIVED_SPAWN, RECEIVED_DEMOTE, RECEIVED_END };

/* What came, and with it: a sandbox's number and its two descriptors, close-on-exec; or some milliseconds of CPU time. */
struct request {
  uint32_t number;
  int bridge, diagnostics;
};

/* One request, if one is there. Never blocks. */
enum received channel_receive(struct request *request);

/* Sends a packet, or keeps it until channel_flush(): never blocks. Takes over `descriptor` (-1: none). */
void channel_send(const void *packet, size_t length, int descriptor);

/* True while packets are kept: no new request is taken then, so that what is kept stays bounded. */
bool channel_is_backlogged(void);
void channel_flush(void);

/* How many packets can be kept; one per live sandbox and one more. */
#define CHANNEL_BACKLOG 16384

#endif
