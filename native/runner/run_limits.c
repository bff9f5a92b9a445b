/* The limits of a run; see run_limits.h. */
#include "run_limits.h"

#include <stddef.h>
#include <string.h>

#include "json_string.h"

#define ALWAYS UINT32_C(0)
#define BIT(name) (UINT32_C(1) << FEATURE_##name)

static const struct definition {
  const char *key;
  size_t ceiling; /* offset in struct runner_ceilings */
  uint64_t minimum, maximum;
  feature_set granted_by; /* any of these features lets a request have it; ALWAYS: required */
} definitions[LIMIT_COUNT] = {
#define CEILING(member) offsetof(struct runner_ceilings, member)
    [LIMIT_MAX_TOOL_CALLS] = {"maxToolCalls", CEILING(max_calls), 0, RUN_LIMITS_COUNT_MAXIMUM, ALWAYS},
    [LIMIT_MAX_RESULT_BYTES] = {"maxResultBytes", CEILING(max_result_bytes), 1, RUN_LIMITS_FRAME_MAXIMUM,
                                ALWAYS},
    [LIMIT_TIMEOUT_MS] = {"timeoutMs", CEILING(timeout_ms), 1, RUN_LIMITS_COUNT_MAXIMUM, ALWAYS},
    [LIMIT_MEMORY_BYTES] = {"memoryBytes", CEILING(memory_bytes), 1, RUN_LIMITS_HEAP_MAXIMUM, BIT(LIMITS)},
    [LIMIT_STACK_BYTES] = {"stackBytes", CEILING(stack_bytes), 1, RUN_LIMITS_COUNT_MAXIMUM, BIT(LIMITS)},
    [LIMIT_CPU_MS] = {"cpuMs", CEILING(cpu_ms), 1, RUN_LIMITS_COUNT_MAXIMUM, BIT(LIMITS)},
    [LIMIT_MAX_LOG_BYTES] = {"maxLogBytes", CEILING(max_log_bytes), 0, RUN_LIMITS_COUNT_MAXIMUM,
                             BIT(LIMITS) | BIT(CONSOLE)},
    [LIMIT_MAX_CONCURRENT_TOOL_CALLS] = {"maxConcurrentToolCalls", CEILING(max_concurrent_calls), 1,
                                         RUN_LIMITS_CONCURRENT_MAXIMUM, BIT(LIMITS) | BIT(PARALLEL_TOOLS)},
#undef CEILING
};

static uint64_t ceiling_of(const struct runner_ceilings *ceilings, const struct definition *definition) {
  uint64_t value;
  memcpy(&value, (const char *)ceilings + definition->ceiling, sizeof value);
  return value;
}

const char *run_limits_read(struct run_limits *limits, const struct runner_ceilings *ceilings,
                            struct json_span request, feature_set features) {
  limits->answered = 0;
  for (int i = 0; i < LIMIT_COUNT; i++) {
    const struct definition *definition = &definitions[i];
    limits->value[i] = ceiling_of(ceilings, definition);
    bool required = definition->granted_by == ALWAYS;
    if (!required && !(definition->granted_by & features)) continue;
    struct json_span value = json_member_of(request, definition->key);
    if (!value.at && !required) continue;
    uint64_t requested;
    if (!json_is_integer(value, definition->minimum, &requested)) return definition->key;
    bool unlimited = i == LIMIT_CPU_MS && limits->value[i] == 0;
    if (unlimited || requested < limits->value[i]) limits->value[i] = requested;
    limits->answered |= UINT32_C(1) << i;
  }
  return NULL;
}

void run_limits_write(const struct run_limits *limits, struct text *text) {
  const char *separator = "{\"";
  for (int i = 0; i < LIMIT_COUNT; i++) {
    if (!(limits->answered >> i & 1)) continue;
    text_raw(text, separator);
    text_raw(text, definitions[i].key);
    text_raw(text, "\":");
    text_unsigned(text, limits->value[i]);
    separator = ",\"";
  }
  text_raw(text, "}");
}

const char *run_limits_out_of_range(const struct runner_ceilings *ceilings) {
  for (int i = 0; i < LIMIT_COUNT; i++) {
    if (ceiling_of(ceilings, &definitions[i]) > definitions[i].maximum) return definitions[i].key;
  }
  return ceilings->max_frame_bytes > RUN_LIMITS_FRAME_MAXIMUM ? "maxFrameBytes" : NULL;
}
