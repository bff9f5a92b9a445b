/* The tool calls that are open, and the answers that have arrived for them. Knows nothing of descriptors. */
#ifndef WARDENPOOL_BRIDGE_CALLS_H
#define WARDENPOOL_BRIDGE_CALLS_H

#include "bridge.h"

/* An answer whose text lies in the input buffer. */
struct bridge_arrival {
  bool ok;
  struct json_span spans[2]; /* the result; or code and message */
};

/* Maps the tables for at most `maximum` open calls in any run. 0, or -1 with errno. */
int bridge_calls_prepare(uint32_t maximum);

/* `maximum`: how many may be open at once in this run. */
void bridge_calls_start(uint32_t maximum);

uint32_t bridge_calls_maximum(void);

/* Notes the answer for the call `id`; false if that call is not open, or answered already. */
bool bridge_calls_answer(uint64_t id, const struct bridge_arrival *arrival);

/* Whether an answer waits to be taken. */
bool bridge_calls_answered(void);

/* Lets the input buffer reuse what no waiting answer needs. */
void bridge_calls_release(void);

#endif
