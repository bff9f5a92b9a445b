/* How a process of the floor gives up: a sentence on standard error, and exit code 1. */
#ifndef WARDENPOOL_FLOOR_FAILURE_H
#define WARDENPOOL_FLOOR_FAILURE_H

/* How long a sentence gets. */
#define FAILURE_BYTES 1024

__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/* The same, with what errno says behind it. */
__attribute__((noreturn)) void fail_with_errno(const char *what);

/* What steps.h calls a step of confinement. */
const char *step_text(unsigned step);

#endif
