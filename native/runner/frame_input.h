/*
 * Bytes from the host, split into frames.
 *
 * A frame ends at the byte 0x0A and nowhere else. Frames stay in the buffer until they are released, in
 * order, so that what was taken out of them can be used without a copy. Positions count from the start of the
 * stream; a pointer is only good until the next read. Knows nothing of JSON.
 */
#ifndef WARDENPOOL_FRAME_INPUT_H
#define WARDENPOOL_FRAME_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum frame_input_status {
  FRAME_INPUT_READ,      /* something arrived */
  FRAME_INPUT_NOTHING,   /* not now */
  FRAME_INPUT_ENDED,     /* the host has closed its half */
  FRAME_INPUT_FAILED,    /* errno says why */
};

/* Maps the buffer: `kept_frames` unreleased frames of at most `max_frame_bytes`, beside one that is arriving.
 * 0, or -1. */
int frame_input_prepare(size_t max_frame_bytes, size_t kept_frames);

/* Reads once. */
enum frame_input_status frame_input_read(int descriptor);

/* The next whole frame, without its newline; false if there is none. */
bool frame_input_next(const uint8_t **frame, size_t *length);

/* Whether the frame that is arriving is already longer than a frame may be. */
bool frame_input_oversized(void);

/* Whether a part of a frame has arrived. */
bool frame_input_partial(void);

/* The position of a pointer into a frame, and the other way round. */
uint64_t frame_input_position(const uint8_t *pointer);
const uint8_t *frame_input_at(uint64_t position);

/* What lies before this position will not be looked at again. Frames taken but not released stay. */
void frame_input_release(uint64_t position);

/* No frame that was taken so far will be looked at again. */
void frame_input_release_taken(void);

/* Keeps the frames that were taken so far for ever; pointers into them stay good. Once, before anything is
 * released. */
void frame_input_keep(void);

#endif
