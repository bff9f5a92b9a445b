/*
 * The time as the program sees it, in milliseconds since the run began: the real time, or, for runs with a seed, a virtual
 * one that depends on nothing but what the program does. The virtual clock begins at PROGRAM_CLOCK_EPOCH_MS, goes on by one
 * step with each reading of a clock, and moves to the time of each timer that runs. Everything else takes no time.
 */
#ifndef WARDENPOOL_PROGRAM_CLOCK_H
#define WARDENPOOL_PROGRAM_CLOCK_H

#include <stdbool.h>

#include "engine.h"

/* The date at which a virtual clock begins: 2000-01-01T00:00:00.000Z. */
#define PROGRAM_CLOCK_EPOCH_MS INT64_C(946684800000)

/* One reading of a virtual clock: two of them differ, also by Date, which has whole milliseconds. */
#define PROGRAM_CLOCK_STEP_MS 1

/* From now on the clock is virtual. */
void program_clock_become_virtual(void);
bool program_clock_is_virtual(void);

/* The names under which scripts of the bootstrap call these: `now()`, the program's time; `read()`, the same as a reading
 * by the program; `elapsed()`, the real time; `reach(time)`, after which the program's time is not before that; `origin()`, the date at
 * which the run began, in milliseconds since 1970. */
#define PROGRAM_CLOCK_NOW_FUNCTION "now"
#define PROGRAM_CLOCK_READ_FUNCTION "read"
#define PROGRAM_CLOCK_ELAPSED_FUNCTION "elapsed"
#define PROGRAM_CLOCK_REACH_FUNCTION "reach"
#define PROGRAM_CLOCK_ORIGIN_FUNCTION "origin"
guest_value program_clock_now_call(uint32_t argument_count, guest_address arguments);
guest_value program_clock_read_call(uint32_t argument_count, guest_address arguments);
guest_value program_clock_elapsed_call(uint32_t argument_count, guest_address arguments);
guest_value program_clock_reach_call(uint32_t argument_count, guest_address arguments);
guest_value program_clock_origin_call(uint32_t argument_count, guest_address arguments);

#endif
