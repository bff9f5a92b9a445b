/* The `execute` frame; see execute_frame.h. */
#include "execute_frame.h"

#include "diagnostics.h"
#include "json_string.h"

static bool refuse(const char *field, const char *reason) {
  diagnose("execute frame refused: %s %s", field, reason);
  return false;
}

/* A hash of the decoded name, so that only equal hashes need a comparison. */
static uint32_t hash_of(struct json_span name, size_t *length, bool *has_nul) {
  uint32_t hash = 2166136261u; /* FNV-1a */
  *length = 0;
  *has_nul = false;
  struct json_string_reader reader = json_string_open(name);
  for (int byte = json_string_next(&reader); byte >= 0; byte = json_string_next(&reader)) {
    hash = (hash ^ (uint32_t)byte) * 16777619u;
    *length += 1;
    if (byte == 0) *has_nul = true;
  }
  return hash;
}

static bool read_tools(struct execution *execution, struct json_span tools) {
  uint32_t hashes[EXECUTE_TOOLS_MAXIMUM];
  if (!json_is_array(tools)) return refuse("tools", "must be an array");
  struct json_walk walk = json_walk(tools);
  struct json_span tool;
  uint32_t count = 0;
  while (json_next_element(&walk, &tool)) {
    if (count == EXECUTE_TOOLS_MAXIMUM) return refuse("tools", "must have at most 512 elements");
    if (!json_is_object(tool)) return refuse("tools", "must contain objects only");
    struct json_span name = json_member_of(tool, "name");
    if (!json_is_string(name)) return refuse("tools[].name", "must be a string");
    size_t length;
    bool has_nul;
    hashes[count] = hash_of(name, &length, &has_nul);
    if (length < 1 || length > EXECUTE_TOOL_NAME_MAXIMUM)
      return refuse("tools[].name", "must have 1 to 256 bytes");
    if (has_nul) return refuse("tools[].name", "must not contain NUL");
    for (uint32_t i = 0; i < count; i++) {
      if (hashes[i] == hashes[count] && json_string_compare(execution->tools[i], name) == 0) {
        return refuse("tools[].name", "must be unique");
      }
    }
    execution->tools[count++] = name;
  }
  execution->tool_count = count;
  return true;
}

bool execute_frame_read(struct execution *execution, const struct json_member members[EXECUTE_MEMBERS],
                        const struct runner_ceilings *ceilings) {
  if (!json_string_is(members[EXECUTE_VERSION].value, "code-bridge-v1")) {
    return refuse("version", "must be \"code-bridge-v1\"");
  }
  if (!json_string_is(members[EXECUTE_TYPE].value, "execute")) return refuse("type", "must be \"execute\"");
  execution->id = members[EXECUTE_ID].value;
  if (!json_is_string(execution->id)) return refuse("executionId", "must be a string");
  execution->code = members[EXECUTE_CODE].value;
  if (!json_is_string(execution->code)) return refuse("code", "must be a string");
  if (execution->code.length == 2) return refuse("code", "must not be empty");
  if (!read_tools(execution, members[EXECUTE_TOOLS].value)) return false;
  struct json_span features = members[EXECUTE_FEATURES].value;
  execution->negotiates = features.at != NULL;
  execution->features = 0;
  if (features.at && !features_read(&execution->features, features)) {
    return refuse("features", "must be an array of strings");
  }
  execution->seed = (struct json_span){NULL, 0};
  if (has_feature(execution->features, FEATURE_SEED) && members[EXECUTE_SEED].value.at) {
    execution->seed = members[EXECUTE_SEED].value;
    if (!json_is_string(execution->seed)) return refuse("seed", "must be a string");
  }
  struct json_span limits = members[EXECUTE_LIMITS].value;
  if (!json_is_object(limits)) return refuse("limits", "must be an object");
  const char *key = run_limits_read(&execution->limits, ceilings, limits, execution->features);
  if (key) {
    diagnose("execute frame refused: limits.%s must be a whole number, and not too small", key);
    return false;
  }
  return true;
}
