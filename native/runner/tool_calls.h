/*
 * The global `tools`, and what happens when a program calls one.
 *
 * Each tool is a native function of its own: there is no dispatcher in the guest that a program could get
 * hold of. Knows the bridge; knows nothing of descriptors.
 */
#ifndef WARDENPOOL_TOOL_CALLS_H
#define WARDENPOOL_TOOL_CALLS_H

#include "engine.h"

/* The name under which the engine calls tool 12 is "#12". */
#define TOOL_FUNCTION_PREFIX '#'

/* Maps the table for at most `maximum` open calls. 0, or -1 with errno. */
int tool_calls_prepare(uint32_t maximum);

/* Defines the global `tools` for this execution. 0, or -1 if the engine has no memory. */
int tool_calls_start(void);

/* Called by the engine for a function whose name begins with TOOL_FUNCTION_PREFIX. Gives a promise. */
guest_value tool_calls_call(const char *name, size_t name_length, uint32_t argument_count,
                            guest_address arguments);

/* Calls whose promises are not settled: those that were sent, answered or not, and those that wait for their turn. */
uint64_t tool_calls_unsettled(void);

/* Settles the promise of the first call whose answer has arrived; there must be one. 0, or -1 with an exception pending:
 * there is no memory. */
int tool_calls_deliver(void);

#endif
