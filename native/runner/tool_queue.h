/*
 * Tool calls that wait for their turn, in order.
 *
 * They live in an array in the guest's heap, so that the program's own memory limit bounds them; nothing in
 * the guest refers to that array.
 */
#ifndef WARDENPOOL_TOOL_QUEUE_H
#define WARDENPOOL_TOOL_QUEUE_H

#include "engine.h"

/* What settles a call: the functions of its promise, and the error to reject it with. */
struct pending_call {
  guest_value resolve, reject, error;
};

/* How many wait. */
uint32_t tool_queue_length(void);

/* Takes the values over. `arguments`: a string of JSON text. False, with an exception pending, if there is no
 * memory. */
bool tool_queue_push(uint32_t tool, guest_value arguments, const struct pending_call *call);

/* Takes the first one out; false if there is none. */
bool tool_queue_shift(uint32_t *tool, guest_value *arguments, struct pending_call *call);

#endif
