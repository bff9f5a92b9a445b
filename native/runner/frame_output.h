/*
 * Frames to the host, buffered.
 *
 * A frame is built in place and becomes part of the stream only when it is complete, so whatever moment a run
 * is abandoned at, the stream is whole frames. Nothing is sent before a flush. Knows nothing of what frames
 * say.
 */
#ifndef WARDENPOOL_FRAME_OUTPUT_H
#define WARDENPOOL_FRAME_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

enum frame_output_status {
  FRAME_OUTPUT_DONE,    /* everything was taken by the kernel */
  FRAME_OUTPUT_BLOCKED, /* some is left: the host does not read fast enough */
  FRAME_OUTPUT_FAILED,  /* nobody will read it any more; errno says why */
};

/* Maps the buffer: two frames of the largest size, and one more that only the last frame of a run may use. 0,
 * or -1. */
int frame_output_prepare(size_t max_frame_bytes);

/* Room for one frame, or false while too much is unsent for one of the largest size. */
bool frame_output_begin(struct text *frame);

/* The same for the last frame: there is always room. */
void frame_output_begin_last(struct text *frame);

/* Completes the frame that was begun: adds its newline. False, with the frame dropped, if it does not fit a
 * frame. */
bool frame_output_commit(struct text *frame);

/* Bytes that are not sent yet. */
size_t frame_output_pending(void);

/* Sends what the kernel takes without waiting. */
enum frame_output_status frame_output_flush(int descriptor);

#endif
