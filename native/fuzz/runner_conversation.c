/* The output of a runner, checked; see runner_conversation.h. */
#include "runner_conversation.h"

#include <string.h>

#include "json_oracle.h"
#include "json_string.h"

#define REQUIRE(condition, sentence) \
  do {                               \
    if (!(condition)) return sentence; \
  } while (0)

static struct json_span member(struct json_span frame, const char *key) { return json_member_of(frame, key); }

static const char *broken_in_terminal(struct json_span frame) {
  static const char *const kinds[] = {"cancelled", "timeout",      "javascript", "memory",
                                      "result",    "result_limit", "limit",      "internal"};
  struct json_span ok = member(frame, "ok"), error = member(frame, "error");
  REQUIRE(ok.at && (*ok.at == 't' || *ok.at == 'f'), "a terminal frame says whether it went well");
  REQUIRE(json_is_object(member(frame, "metrics")), "a terminal frame has metrics");
  if (*ok.at == 't') {
    REQUIRE(!error.at, "a success has no error");
    return NULL;
  }
  REQUIRE(json_is_object(error) && !member(frame, "result").at, "a failure has an error and no result");
  bool known = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) known |= json_string_is(json_member_of(error, "kind"), kinds[i]);
  REQUIRE(known, "the kind of an error is one of the protocol");
  REQUIRE(json_is_string(json_member_of(error, "message")), "an error has a message");
  return NULL;
}

const char *runner_conversation_broken(const struct runner_end *end, size_t max_frame_bytes) {
  bool is_ready = false, is_terminated = false;
  uint64_t last_call = 0, last_log = 0, number;
  const uint8_t *at = end->output, *stop = end->output + end->output_length;
  while (at < stop) {
    REQUIRE(!is_terminated, "nothing follows the terminal frame");
    const uint8_t *newline = memchr(at, '\n', (size_t)(stop - at));
    if (!newline) {
      REQUIRE(!end->heard_out || end->exit_status != 0, "the last frame is whole");
      break;
    }
    struct json_span frame = {at, (size_t)(newline - at)};
    REQUIRE(frame.length <= max_frame_bytes, "a frame is within its limit");
    REQUIRE(json_oracle_accepts(frame.at, frame.length), "a frame is a JSON object as the protocol wants it");
    REQUIRE(json_string_is(member(frame, "version"), "code-bridge-v1"), "a frame has the version");
    struct json_span type = member(frame, "type");
    if (!is_ready) {
      REQUIRE(json_string_is(type, "ready") && json_is_object(member(frame, "effectiveLimits")), "the first frame is ready");
      is_ready = true;
    } else if (json_string_is(type, "tool.call")) {
      REQUIRE(json_is_integer(member(frame, "id"), 1, &number) && number == ++last_call, "calls are numbered from 1 up");
      REQUIRE(json_is_object(member(frame, "arguments")), "the arguments of a call are an object");
    } else if (json_string_is(type, "log")) {
      REQUIRE(json_is_integer(member(frame, "seq"), 0, &number) && (last_log == 0 || number > last_log), "logs are in order");
      last_log = number;
    } else {
      REQUIRE(json_string_is(type, "execution.result"), "a frame is of a known type");
      const char *broken = broken_in_terminal(frame);
      if (broken) return broken;
      is_terminated = true;
    }
    at = newline + 1;
  }
  REQUIRE(end->exit_status >= 0 && end->exit_status <= 2, "the exit status is 0, 1 or 2");
  if (end->heard_out) REQUIRE(is_terminated == (end->exit_status == 0), "exit 0 means a terminal frame, and only that");
  if (end->exit_status == 2) REQUIRE(!is_ready, "exit 2 means that the first frame could not be read");
  if (end->exit_status != 0)
    REQUIRE(strncmp(end->diagnosis, "code-runner: ", 13) == 0, "a run without a terminal frame says why");
  return NULL;
}
