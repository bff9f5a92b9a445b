/* The limits of a run: their names on the wire, and the smaller of request and ceiling. Knows nothing of how
 * they are kept. */
#ifndef WARDENPOOL_RUN_LIMITS_H
#define WARDENPOOL_RUN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "bridge_features.h"
#include "json_scan.h"
#include "runner.h"
#include "text.h"

/* Buffers are a small multiple of a frame; more than this is no frame size but a slip. Bytes. */
#define RUN_LIMITS_FRAME_MAXIMUM (UINT64_C(1) << 28)
/* Half of what 32-bit addresses reach, so that the engine and its slack have room beside the heap. Bytes. */
#define RUN_LIMITS_HEAP_MAXIMUM (UINT64_C(1) << 31)
#define RUN_LIMITS_CONCURRENT_MAXIMUM UINT64_C(4096)
/* Beyond this a JSON number is no longer exact. */
#define RUN_LIMITS_COUNT_MAXIMUM (UINT64_C(1) << 53)

enum limit {
  LIMIT_MAX_TOOL_CALLS,
  LIMIT_MAX_RESULT_BYTES,
  LIMIT_TIMEOUT_MS,
  LIMIT_MEMORY_BYTES,
  LIMIT_STACK_BYTES,
  LIMIT_CPU_MS, /* 0: none */
  LIMIT_MAX_LOG_BYTES,
  LIMIT_MAX_CONCURRENT_TOOL_CALLS,
  LIMIT_COUNT,
};

struct run_limits {
  uint64_t value[LIMIT_COUNT];
  uint32_t answered; /* bits: those that the request had, and that `ready` reports */
};

/* Reads a request: an object. NULL, or the name of the member that is missing or malformed. */
const char *run_limits_read(struct run_limits *limits, const struct runner_ceilings *ceilings,
                            struct json_span request, feature_set features);

/* Appends the object of effective limits. */
void run_limits_write(const struct run_limits *limits, struct text *text);

/* NULL, or the name of the first ceiling for which this machine has no room or no exact number. */
const char *run_limits_out_of_range(const struct runner_ceilings *ceilings);

#endif
