/*
 * The runner's side of code-bridge-v1: frames in, frames out, and waiting for them.
 *
 * It knows which tool calls are open and which answers have arrived; not what they are for. Whatever the host
 * does against the protocol is recorded as a cause to stop. Every wait ends with the deadline, a cancel or
 * the end of the host.
 */
#ifndef WARDENPOOL_BRIDGE_H
#define WARDENPOOL_BRIDGE_H

#include "execute_frame.h"
#include "json_scan.h"
#include "text.h"

/* What runner_execute() returns. */
enum bridge_exit {
  BRIDGE_EXIT_SENT = 0,     /* a terminal frame was sent */
  BRIDGE_EXIT_REFUSED = 1,  /* the content of `execute` was refused, or no frame could be sent */
  BRIDGE_EXIT_UNREADABLE = 2, /* the first frame could not be read or parsed */
};

/* The answer to an open call. Its text is good until the guest runs or a wait begins: input that arrives
 * meanwhile may move it. */
struct bridge_answer {
  uint32_t slot;
  bool ok;
  struct json_span result;  /* if ok; no text: absent */
  struct json_span code, message; /* if not ok: strings */
};

/* The frame that started this run. */
extern struct execution bridge_execution;

/* Maps all buffers. 0, or -1 with errno. */
int bridge_prepare(const struct runner_ceilings *ceilings);

/* Waits for the first frame on `descriptor`, checks it. -1 when the run may begin, else what to exit with. */
int bridge_receive_execution(int descriptor);

/* Called on each tick while the guest is suspended: takes what has arrived, sends what it can. */
void bridge_look_at_host(void);

/* The most bytes that a frame may have, in either direction. */
size_t bridge_frame_limit(void);

/* Whether this is the text of one JSON object that can stand in a frame: as strict as frames are read, without a newline,
 * and no longer than a frame may be. */
bool bridge_carries(const uint8_t *text, size_t length);

/* Begins a frame of a type; the caller appends `,"key":value` and commits. Waits for room. No call of the
   guest may come between the two. False when the frame was dropped because it is too long. */
void bridge_begin_frame(struct text *frame, const char *type);
bool bridge_commit_frame(struct text *frame);

/* Sends what is buffered, as far as that goes without waiting. */
void bridge_flush(void);

/* Opens a call: its slot, and the id for its frame. */
uint32_t bridge_open_call(uint64_t *id);
uint32_t bridge_open_calls(void);

/* How many calls have been opened. */
uint64_t bridge_calls_made(void);

/* Sends everything, then waits for an answer, and no longer than until `moment` of the monotonic clock. The host is looked
 * at, even if that has passed. Unwinds if the run must end. */
#define BRIDGE_NO_MOMENT INT64_MAX
void bridge_wait_for_answer(int64_t moment);

/* After an unwind: whether that was in such a wait. */
bool bridge_was_waiting(void);

/* Shows the next answer that has arrived; false if there is none. */
bool bridge_next_answer(struct bridge_answer *answer);

/* Drops that answer, and closes its call. */
void bridge_close_answered(void);

/* Begins the terminal frame; there is always room. */
void bridge_begin_terminal(struct text *frame);

/* Commits and sends it, waiting a bounded time. What to exit with. */
int bridge_finish(struct text *frame);

#endif
