/* Clocks, in nanoseconds. Knows nothing else. */
#ifndef WARDENPOOL_CLOCK_H
#define WARDENPOOL_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NANOSECONDS_PER_MILLISECOND INT64_C(1000000)
#define NANOSECONDS_PER_SECOND INT64_C(1000000000)

static inline int64_t clock_read(clockid_t clock) {
  struct timespec now = {0, 0};
  (void)clock_gettime(clock, &now); /* cannot fail for the clocks below */
  return (int64_t)now.tv_sec * NANOSECONDS_PER_SECOND + now.tv_nsec;
}

/* Since some moment in the past; never moved by anybody. No system call: the kernel's vdso answers. */
static inline int64_t clock_monotonic(void) { return clock_read(CLOCK_MONOTONIC); }

/* CPU time of this process. A system call. */
static inline int64_t clock_cpu(void) { return clock_read(CLOCK_PROCESS_CPUTIME_ID); }

/* Milliseconds as nanoseconds, cut where that would overflow: some 146 years. */
static inline int64_t clock_from_milliseconds(uint64_t milliseconds) {
  uint64_t most = (uint64_t)(INT64_MAX / 2 / NANOSECONDS_PER_MILLISECOND);
  return (int64_t)(milliseconds < most ? milliseconds : most) * NANOSECONDS_PER_MILLISECOND;
}

/* Milliseconds as a program has them, any double: what is negative or no number is 0, and nothing is more than some thirty
 * years, which no run lasts. */
static inline int64_t clock_from_number(double milliseconds) {
  const double most = 1e12;
  if (!(milliseconds > 0)) return 0;
  return (int64_t)((milliseconds < most ? milliseconds : most) * (double)NANOSECONDS_PER_MILLISECOND);
}

#endif
