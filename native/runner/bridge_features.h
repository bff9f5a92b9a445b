/* The extensions of the protocol that this runner grants. A new one is a line here, and a place that asks for
 * it. */
#ifndef WARDENPOOL_BRIDGE_FEATURES_H
#define WARDENPOOL_BRIDGE_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "json_scan.h"
#include "text.h"

#define RUNNER_FEATURES(FEATURE)            \
  FEATURE(PARALLEL_TOOLS, "parallel-tools") \
  FEATURE(CONSOLE, "console")               \
  FEATURE(LIMITS, "limits")                 \
  FEATURE(UNDEFINED, "undefined")           \
  FEATURE(ERRORS, "errors")                 \
  FEATURE(TOOL_PATHS, "tool-paths")         \
  FEATURE(TIMERS, "timers")                 \
  FEATURE(WEB, "web")                       \
  FEATURE(SEED, "seed")

#define DECLARE_FEATURE(name, wire) FEATURE_##name,
enum feature { RUNNER_FEATURES(DECLARE_FEATURE) FEATURE_COUNT };
#undef DECLARE_FEATURE

/* Bits by enum feature. */
typedef uint32_t feature_set;

static inline bool has_feature(feature_set set, enum feature feature) { return set >> feature & 1u; }

/* Reads the array that an `execute` frame carries; names that are not known are not granted. False if it is
   no array of strings. */
bool features_read(feature_set *set, struct json_span request);

/* Appends the array of granted names. */
void features_write(feature_set set, struct text *text);

#endif
