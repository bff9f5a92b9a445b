/* What is measured, in memory that all processes of the floor share: the work to divide, and what it took. */
#ifndef WARDENPOOL_FLOOR_MEASUREMENT_H
#define WARDENPOOL_FLOOR_MEASUREMENT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* What one process reports. Times are of CLOCK_MONOTONIC, in nanoseconds. */
struct part_report {
  int64_t started_at, ended_at;
  int64_t host_cpu; /* CPU time of the process itself, nanoseconds */
  uint64_t sandbox_cpu_us;
  uint64_t minor_faults, context_switches; /* of its sandboxes */
};

struct measurement {
  size_t mapped_bytes;
  unsigned long count;
  unsigned parts;
  atomic_long left; /* executions that nobody has begun */
  struct part_report *reports;
  int64_t *latencies; /* of each execution, nanoseconds */
};

struct measurement *measurement_map(unsigned long count, unsigned parts);

/* Before a process clones sandboxes: they do not get this memory, nor pay for it. */
void measurement_keep_from_clones(struct measurement *measurement);

/* The number of an execution for the caller to run, or -1 if there is none left. */
long measurement_take(struct measurement *measurement);

/* One line of JSON on standard output. */
void measurement_print(struct measurement *measurement);

#endif
