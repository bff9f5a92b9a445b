/* What is run: the bytes that begin an execution, the answers of its tools, and the bytes that must end it. */
#ifndef WARDENPOOL_FLOOR_WORKLOAD_H
#define WARDENPOOL_FLOOR_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/runner.h"
#include "runner/text.h"

/* The limits of a pool that was given none (src/pool/limits.ts): of the runner, and of each execution. */
extern const struct runner_ceilings default_ceilings;

struct workload {
  const uint8_t *execute; /* the frame, with its newline */
  size_t execute_length;
  const uint8_t *terminal; /* the last frame, up to its metrics */
  size_t terminal_length;
};

/* Calls fail() if the program and its tools do not fit one frame. */
struct workload workload_make(const char *program, const char *const *tools, unsigned tool_count);

/* Reads what the program must return, JSON text, up to the end of `descriptor`. Calls fail() if that cannot be. */
void workload_expect_from(struct workload *workload, int descriptor);

/*
 * Deals with one frame of a runner, without its newline, and appends the answer to `answers` if it has one. True if
 * it is the last frame, with the right result. Calls fail() for anything that should not come.
 */
bool workload_take_frame(const struct workload *workload, const uint8_t *frame, size_t length, struct text *answers);

#endif
