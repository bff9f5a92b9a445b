/* Frames to the host, buffered; see frame_output.h. */
#include "frame_output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "mapping.h"

static uint8_t *buffer;
static size_t frame_maximum;
static size_t sent, committed;

int frame_output_prepare(size_t max_frame_bytes) {
  frame_maximum = max_frame_bytes;
  buffer = map_buffer((max_frame_bytes + 1) * 3);
  return buffer ? 0 : -1;
}

static void begin(struct text *frame) {
  /* One byte more than a frame may have, for its newline. */
  *frame = text_in(buffer + committed, frame_maximum + 1);
}

bool frame_output_begin(struct text *frame) {
  if (committed > frame_maximum + 1) return false;
  begin(frame);
  return true;
}

void frame_output_begin_last(struct text *frame) { begin(frame); }

bool frame_output_commit(struct text *frame) {
  if (frame->overflowed || text_length(frame) > frame_maximum) return false;
  *frame->at++ = '\n';
  committed += text_length(frame);
  return true;
}

size_t frame_output_pending(void) { return committed - sent; }

enum frame_output_status frame_output_flush(int descriptor) {
  while (sent < committed) {
    ssize_t count = write(descriptor, buffer + sent, committed - sent);
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN ? FRAME_OUTPUT_BLOCKED : FRAME_OUTPUT_FAILED;
    }
    sent += (size_t)count;
  }
  sent = committed = 0; /* so that the same few pages are used again */
  return FRAME_OUTPUT_DONE;
}
