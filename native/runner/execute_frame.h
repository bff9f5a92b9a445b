/* The `execute` frame: what it must contain, and where it is. Knows nothing of how it is carried out. */
#ifndef WARDENPOOL_EXECUTE_FRAME_H
#define WARDENPOOL_EXECUTE_FRAME_H

#include "bridge_features.h"
#include "json_scan.h"
#include "run_limits.h"
#include "runner.h"

#define EXECUTE_TOOLS_MAXIMUM 512
#define EXECUTE_TOOL_NAME_MAXIMUM 256

struct execution {
  struct json_span id;     /* raw text of a string; likewise below */
  struct json_span code;
  struct json_span tools[EXECUTE_TOOLS_MAXIMUM]; /* their names */
  uint32_t tool_count;
  bool negotiates; /* it has `features`, and so does the answer */
  feature_set features;
  struct json_span seed;   /* no text: none was given, or the feature was not granted */
  struct run_limits limits;
};

/* The members of a frame that the check of its JSON has found, in this order. */
enum {
  EXECUTE_VERSION,
  EXECUTE_TYPE,
  EXECUTE_ID,
  EXECUTE_CODE,
  EXECUTE_TOOLS,
  EXECUTE_LIMITS,
  EXECUTE_FEATURES,
  EXECUTE_SEED,
  EXECUTE_MEMBERS
};
#define EXECUTE_MEMBER_KEYS                                                           \
  {                                                                                   \
      {.key = "version"}, {.key = "type"},   {.key = "executionId"}, {.key = "code"}, \
      {.key = "tools"},   {.key = "limits"}, {.key = "features"},    {.key = "seed"}, \
  }

/* Checks the content of a good frame. The spans point into it. False, after a diagnosis that names the
 * refused field. */
bool execute_frame_read(struct execution *execution, const struct json_member members[EXECUTE_MEMBERS],
                        const struct runner_ceilings *ceilings);

#endif
