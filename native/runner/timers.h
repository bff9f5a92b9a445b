/* When the program's timers are due, and running them. The timers themselves live in the guest; see guest/timers.js. */
#ifndef WARDENPOOL_TIMERS_H
#define WARDENPOOL_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

#define TIMERS_NEVER INT64_MAX

/* The moment, of the monotonic clock, at which the next timer is to run; TIMERS_NEVER if there is none. */
int64_t timers_next(void);

/* Runs that timer. False, with an exception pending, if its callback threw. */
bool timers_run_next(void);

#endif
