/* The terminal frame; see terminal_frame.h. */
#include "terminal_frame.h"

#include "bridge.h"
#include "clock.h"
#include "engine.h"
#include "outcome.h"
#include "stop.h"
#include "tool_calls.h"

/* What follows the error or the result: metrics, with numbers of 20 digits. */
#define TAIL_BYTES 160u

/* A deadline says what the program was doing: a loop and a slow tool are mended in different places. */
static void fail_for_wall_time(void) {
  unsigned long long limit = (unsigned long long)bridge_execution.limits.value[LIMIT_TIMEOUT_MS];
  uint32_t calls = bridge_open_calls();
  if (!bridge_was_waiting()) {
    outcome_fail("timeout", "the program ran longer than its limit of %llu ms", limit);
  } else if (calls == 0) {
    outcome_fail("timeout", "the program ran longer than its limit of %llu ms: it was waiting for a timer", limit);
  } else {
    outcome_fail("timeout", "the program ran longer than its limit of %llu ms: it was waiting for %u tool call%s",
                 limit, calls, calls == 1 ? "" : "s");
  }
}

void terminal_frame_apply_causes(void) {
  const uint64_t *limits = bridge_execution.limits.value;
  if (stop_causes & STOP_CALL_LIMIT) {
    outcome_fail("limit", "the program made more than %llu tool calls",
                 (unsigned long long)limits[LIMIT_MAX_TOOL_CALLS]);
    outcome.code = "TOOL_CALL_LIMIT_EXCEEDED";
    outcome.has_call_limit = true;
    outcome.call_limit = limits[LIMIT_MAX_TOOL_CALLS];
  } else if (stop_causes & STOP_CANCELLED) {
    outcome_fail("cancelled", "the run was cancelled");
  } else if (stop_causes & STOP_WALL_TIME) {
    fail_for_wall_time();
  } else if (stop_causes & STOP_CPU_TIME) {
    outcome_fail("timeout", "the program used more CPU time than its limit of %llu ms",
                 (unsigned long long)limits[LIMIT_CPU_MS]);
    outcome.code = "CPU_TIME_EXCEEDED";
  } else if (stop_causes & STOP_PROTOCOL) {
    outcome_fail("internal", "the host broke the protocol: %s", stop_protocol_detail);
  } else if (stop_causes & STOP_HOST_LOST) {
    outcome_fail("cancelled", "the host is gone");
  }
}

/* `,"key":"text"`, if all of it fits and leaves the tail its room. */
static void write_member(struct text *frame, const char *key, const struct outcome_text *value) {
  if (value->length == 0 || text_room(frame) < TAIL_BYTES) return;
  struct text part = text_in(frame->at, text_room(frame) - TAIL_BYTES);
  if (text_raw(&part, ",\"") && text_raw(&part, key) && text_raw(&part, "\":") &&
      text_json_string(&part, value->bytes, value->length)) {
    frame->at = part.at;
  }
}

static void write_message(struct text *frame) {
  text_raw(frame, ",\"message\":");
  struct text part = text_in(frame->at, text_room(frame) > TAIL_BYTES ? text_room(frame) - TAIL_BYTES : 0);
  (void)text_json_string_cut(&part, outcome.message.bytes, outcome.message.length);
  if (text_length(&part) == 0) frame->overflowed = true;
  frame->at = part.at;
}

static void write_error(struct text *frame) {
  text_raw(frame, ",\"ok\":false,\"error\":{\"kind\":\"");
  text_raw(frame, outcome.kind);
  text_raw(frame, "\"");
  if (outcome.code) {
    text_raw(frame, ",\"code\":\"");
    text_raw(frame, outcome.code);
    text_raw(frame, "\"");
  }
  if (outcome.has_call_limit) {
    text_raw(frame, ",\"limit\":");
    text_unsigned(frame, outcome.call_limit);
    text_raw(frame, ",\"attempted\":");
    text_unsigned(frame, outcome.call_limit + 1);
  }
  write_message(frame);
  if (has_feature(bridge_execution.features, FEATURE_ERRORS)) {
    write_member(frame, "name", &outcome.name);
    if (!outcome.code) write_member(frame, "code", &outcome.own_code);
    write_member(frame, "path", &outcome.path);
    if (outcome.line > 0 && text_room(frame) > TAIL_BYTES * 2) {
      text_raw(frame, ",\"position\":{\"line\":");
      text_unsigned(frame, outcome.line);
      text_raw(frame, ",\"column\":");
      text_unsigned(frame, outcome.column);
      text_raw(frame, "}");
    }
    write_member(frame, "stack", &outcome.stack);
  }
  text_raw(frame, "}");
}

/* False if the result leaves no room for the rest of the frame. */
static bool write_result(struct text *frame) {
  text_raw(frame, ",\"ok\":true");
  if (!outcome.result && has_feature(bridge_execution.features, FEATURE_UNDEFINED)) return true;
  text_raw(frame, ",\"result\":");
  if (!outcome.result) return text_raw(frame, "null");
  if (text_room(frame) < TAIL_BYTES + outcome.result_length) return false;
  return text_bytes(frame, outcome.result, outcome.result_length);
}

static void write_warnings(struct text *frame) {
  if (outcome.warning_count == 0 || !has_feature(bridge_execution.features, FEATURE_ERRORS)) return;
  const char *separator = ",\"warnings\":[";
  for (uint32_t i = 0; i < outcome.warning_count; i++) {
    struct text part = text_in(frame->at, text_room(frame) > TAIL_BYTES ? text_room(frame) - TAIL_BYTES : 0);
    bool fits = text_raw(&part, separator) && text_raw(&part, "{\"code\":\"UNHANDLED_REJECTION\",\"message\":") &&
                text_json_string(&part, outcome.warnings[i].bytes, outcome.warnings[i].length) && text_raw(&part, "}");
    if (!fits) break;
    frame->at = part.at;
    separator = ",";
  }
  if (separator[1] == 0) text_raw(frame, "]");
}

static void write_metrics(struct text *frame) {
  text_raw(frame, ",\"metrics\":{\"elapsedMs\":");
  text_unsigned(frame, (uint64_t)(stop_elapsed() / NANOSECONDS_PER_MILLISECOND));
  text_raw(frame, ",\"toolCalls\":");
  text_unsigned(frame, bridge_calls_made());
  if (has_feature(bridge_execution.features, FEATURE_LIMITS)) {
    /* The linear memory never shrinks, so its size is the peak. */
    text_raw(frame, ",\"peakMemoryBytes\":");
    text_unsigned(frame, ENGINE_EXPORT_memory(&engine)->size);
  }
  /* Of those that wait for their turn in here, the host knows nothing. */
  uint64_t open_calls = tool_calls_unsettled();
  if (open_calls > 0 && has_feature(bridge_execution.features, FEATURE_PARALLEL_TOOLS)) {
    text_raw(frame, ",\"openToolCalls\":");
    text_unsigned(frame, open_calls);
  }
  text_raw(frame, "}");
}

int terminal_frame_send(void) {
  struct text frame;
  bridge_begin_terminal(&frame);
  struct text head = frame;
  if (!outcome.ok || !write_result(&frame)) {
    if (outcome.ok)
      outcome_fail("result_limit", "the result does not fit a frame of %zu bytes", bridge_frame_limit());
    frame = head;
    write_error(&frame);
  }
  write_warnings(&frame);
  write_metrics(&frame);
  return bridge_finish(&frame);
}
