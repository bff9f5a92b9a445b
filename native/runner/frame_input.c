/* Bytes from the host, split into frames; see frame_input.h. */
#include "frame_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "mapping.h"

static uint8_t *buffer;
static size_t capacity, frame_maximum;
static uint64_t base_position; /* of buffer[0] */
static size_t kept;            /* bytes at the start that stay for ever */
static size_t released; /* bytes (kept ones included) that may be overwritten once more room is needed */
static size_t taken; /* bytes that were handed out as frames */
static size_t searched; /* bytes in which there is no newline behind `taken` */
static size_t filled;

int frame_input_prepare(size_t max_frame_bytes, size_t kept_frames) {
  frame_maximum = max_frame_bytes;
  /* The first frame stays for ever; one more is arriving. */
  capacity = (max_frame_bytes + 1) * (kept_frames + 2);
  buffer = map_buffer(capacity);
  return buffer ? 0 : -1;
}

/* Moves what is still needed to the front, when the room behind it gets short or when nothing but a rest is
 * left. */
static void make_room(void) {
  size_t rest = filled - released;
  if (released == kept || (rest > 0 && filled + frame_maximum + 1 <= capacity)) return;
  size_t shift = released - kept;
  if (rest > 0) memmove(buffer + kept, buffer + released, rest);
  base_position += shift;
  released -= shift;
  taken -= shift;
  searched -= shift;
  filled -= shift;
}

enum frame_input_status frame_input_read(int descriptor) {
  make_room();
  ssize_t count = read(descriptor, buffer + filled, capacity - filled);
  if (count > 0) {
    filled += (size_t)count;
    return FRAME_INPUT_READ;
  }
  if (count == 0) return FRAME_INPUT_ENDED;
  return errno == EAGAIN || errno == EINTR ? FRAME_INPUT_NOTHING : FRAME_INPUT_FAILED;
}

bool frame_input_next(const uint8_t **frame, size_t *length) {
  const uint8_t *newline = filled > searched ? memchr(buffer + searched, '\n', filled - searched) : NULL;
  if (!newline) {
    searched = filled;
    return false;
  }
  size_t end = (size_t)(newline - buffer);
  if (end - taken > frame_maximum) return false; /* frame_input_oversized() says so */
  *frame = buffer + taken;
  *length = end - taken;
  taken = searched = end + 1;
  return true;
}

bool frame_input_oversized(void) {
  if (filled - taken <= frame_maximum) return false;
  const uint8_t *newline = memchr(buffer + taken, '\n', frame_maximum + 1);
  return newline == NULL;
}

bool frame_input_partial(void) { return filled > taken; }

uint64_t frame_input_position(const uint8_t *pointer) { return base_position + (uint64_t)(pointer - buffer); }
const uint8_t *frame_input_at(uint64_t position) { return buffer + (position - base_position); }

void frame_input_release(uint64_t position) { released = (size_t)(position - base_position); }

void frame_input_release_taken(void) { released = taken; }

void frame_input_keep(void) { kept = released = taken; }
