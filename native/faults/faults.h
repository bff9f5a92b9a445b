/*
 * The seam for faults that no machine has on demand: calls that fail, processes that die between two steps, a wall clock that is moved.
 *
 * For tests alone, and outside of what is shipped: the same sources are linked once more, with every call of calls.h wrapped by the
 * linker (`--wrap`). Nothing in the launcher or in the addon knows of it; what users get has not one instruction more.
 *
 * A test and all processes of a launcher share one file, mapped by each as long as it can still open files: the order of what is to
 * go wrong, and a log of the calls that were made. So an order reaches a process that has neither a file system nor a system call
 * left, and the test sees whether it was carried out. Mirrored by test/faults/seam.ts.
 */
#ifndef WARDENPOOL_FAULTS_H
#define WARDENPOOL_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#define FAULT_NAME_BYTES 16
#define FAULT_LOG_CALLS 8192

/* Instead of an errno. */
enum {
  FAULT_DIES = -1,        /* the process ends there; by SIGILL, which unlike SIGKILL a PID 1 can do to itself */
  FAULT_DIES_HALFWAY = -2,  /* the same, when half of what it writes is written */
  FAULT_SILENT_HALFWAY = -3, /* it writes half, and does nothing any more */
  FAULT_SEGMENTATION = -4    /* it writes where no memory is */
};

struct fault_order {
  char call[FAULT_NAME_BYTES]; /* of calls.h; empty: any */
  uint32_t depth;              /* clones between the process that was started and the one in which it happens */
  uint32_t skip, times;        /* of the calls that match, how many are let pass first, and how many fail then; times 0: no order */
  int32_t error;
  uint64_t place;       /* where the call is made, as the log has it; 0: anywhere */
  int64_t clock_shift;  /* seconds by which the wall clock is wrong */
  uint32_t matched;     /* how many matched so far */
  uint32_t carried_out; /* how many failed */
};

struct fault_call {
  char call[FAULT_NAME_BYTES];
  uint64_t place;
  uint32_t depth, reserved;
};

struct faults {
  struct fault_order order;
  uint32_t logged; /* may be more than there is room for */
  uint32_t reserved;
  struct fault_call log[FAULT_LOG_CALLS];
};

/* NULL where there is no file: then everything is as ever. */
extern struct faults *faults;

/*
 * How many clones this process is away from the one that was started. A launcher that another program has executed inside of what
 * it made starts from FAULT_DEPTH_INSIDE, so that its calls are not taken for those of the launcher outside.
 */
extern uint32_t fault_depth;
#define FAULT_DEPTH_INSIDE 8

/* Logs a call. 0, or the errno with which it is to fail, or one of the two that are for half of what is written. */
int fault_at(const char *call, const void *place);

/*
 * beside_executable.c, from_environment.c: opens the file; -1 if this process has none. `is_inside`: it came along from outside, over
 * an execution in a place where the file is not. Wrapped calls are not for these two.
 */
int fault_file(bool *is_inside);
/* What is executed next, by another program maybe, has the file: as an open descriptor, if it looks for one. */
void fault_file_comes_along(void);

#endif
