/*
 * Fuzz target: what the runner does with bytes of the host before it believes them. In this process, function by function,
 * with every text in an allocation of its exact length, so that the address sanitizer sees a read too far.
 *
 * The first four bytes of an input choose the frame limit and the sizes of the reads; the rest is the stream. It checks
 * more than that nothing crashes: the check of a frame agrees with json_oracle.h, what is taken out of a good frame lies
 * inside it, and how a stream was cut into reads does not matter.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "bridge_features.h"
#include "claim.h"
#include "diagnostics.h"
#include "execute_frame.h"
#include "json_oracle.h"
#include "json_scan.h"
#include "json_string.h"
#include "run_limits.h"

/* Included, not linked: its state is static, a process reads one stream, and here each input is one. */
#include "../runner/frame_input.c"

#define STREAM_MAXIMUM ((size_t)1 << 16)
#define KEPT_FRAMES 2

static const struct runner_ceilings ceilings = {
    .memory_bytes = 1 << 26,
    .stack_bytes = 1 << 20,
    .timeout_ms = 5000,
    .cpu_ms = 0,
    .max_calls = 64,
    .max_concurrent_calls = 16,
    .max_frame_bytes = 1 << 20,
    .max_result_bytes = 1 << 19,
    .max_log_bytes = 1 << 16,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In place of the runner's, which maps memory for good. */
void *map_buffer(size_t bytes) { return calloc(1, bytes); }

static unsigned diagnoses;

/* In place of the runner's, which writes to stderr. */
void diagnose(const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  claim(vsnprintf(line, sizeof line, format, arguments) > 0, "a diagnosis says something");
  va_end(arguments);
  diagnoses++;
}

static bool lies_in(struct json_span inner, struct json_span outer) {
  return inner.at >= outer.at && inner.length > 0 && inner.length <= outer.length &&
         (size_t)(inner.at - outer.at) <= outer.length - inner.length;
}

/* The same code units as UTF-8, in which lone surrogates are three bytes each: what the runner decodes to. */
static size_t to_utf8(const uint16_t *units, size_t count, uint8_t *out) {
  uint8_t *start = out;
  for (size_t i = 0; i < count; i++) {
    uint32_t value = units[i];
    if (value >> 10 == 0x36 && i + 1 < count && units[i + 1] >> 10 == 0x37)
      value = 0x10000 + ((value & 0x3FF) << 10 | (units[++i] & 0x3FF));
    unsigned more = value < 0x80 ? 0 : value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
    *out++ = (uint8_t)(more == 0 ? value : (0xFF00u >> (more + 1) & 0xFF) | value >> 6 * more);
    while (more-- > 0) *out++ = (uint8_t)(0x80 | (value >> 6 * more & 0x3F));
  }
  return (size_t)(out - start);
}

static void check_string(struct json_span string) {
  claim(string.length >= 2 && string.at[string.length - 1] == '"', "a string ends with its quote");
  uint8_t *decoded = malloc(string.length), *expected = malloc(string.length);
  uint16_t *units = malloc(string.length * sizeof *units);
  size_t length = json_string_decode(string, decoded);
  claim(length <= string.length - 2, "a decoded string is no longer than its text");
  struct json_string_reader reader = json_string_open(string);
  for (size_t i = 0; i < length; i++)
    claim(json_string_next(&reader) == decoded[i], "a string is the same byte by byte and as a whole");
  claim(json_string_next(&reader) < 0, "a string ends where its decoded bytes end");
  size_t unit_count = json_oracle_decode(string.at, string.length, units);
  claim(to_utf8(units, unit_count, expected) == length && memcmp(expected, decoded, length) == 0,
        "a string means what the oracle says");
  claim(json_string_compare(string, string) == 0, "a string is equal to itself");
  free(decoded);
  free(expected);
  free(units);
}

static void check_value(struct json_span value, struct json_span frame);

static void check_container(struct json_span container, struct json_span frame) {
  struct json_walk walk = json_walk(container);
  struct json_span key, value, previous = {NULL, 0};
  bool is_object = json_is_object(container);
  while (is_object ? json_next_member(&walk, &key, &value) : json_next_element(&walk, &value)) {
    claim(lies_in(value, container), "a value lies inside its container");
    if (is_object) {
      claim(lies_in(key, container) && json_is_string(key), "a key lies inside its object and is a string");
      claim(key.at + key.length < value.at, "a key ends before its value begins");
      claim(!previous.at || json_string_compare(previous, key) != 0, "two neighbouring keys differ");
      check_string(key);
      previous = key;
    }
    check_value(value, frame);
  }
}

/* Recursion is bounded: a good frame has 512 levels. */
static void check_value(struct json_span value, struct json_span frame) {
  claim(lies_in(value, frame), "a value lies inside its frame");
  claim(!strchr(" \t\n\r,:", value.at[0]) && !strchr(" \t\n\r,:", value.at[value.length - 1]),
        "a value has nothing around it");
  uint64_t number;
  if (json_is_string(value)) check_string(value);
  else if (json_is_object(value) || json_is_array(value)) check_container(value, frame);
  else if (json_is_integer(value, 1, &number)) claim(number >= 1, "an integer is not below its minimum");
}

/* What was written for the host must be what the host would accept. */
static void check_answer(const struct execution *execution) {
  char answer[2048];
  struct text text = text_in(answer, sizeof answer);
  text_raw(&text, "{\"limits\":");
  run_limits_write(&execution->limits, &text);
  text_raw(&text, ",\"features\":");
  features_write(execution->features, &text);
  text_raw(&text, "}");
  claim(!text.overflowed && json_oracle_accepts(text.start, text_length(&text)), "the answer to limits and features is JSON");
}

static void check_execution(const struct json_member *members) {
  struct execution execution;
  memset(&execution, 0xA5, sizeof execution); /* so that what was not set is seen */
  diagnoses = 0;
  bool accepted = execute_frame_read(&execution, members, &ceilings);
  claim(diagnoses == (accepted ? 0 : 1), "a refused execute frame has one diagnosis, and an accepted one none");
  if (!accepted) return;
  check_string(execution.id);
  check_string(execution.code);
  claim(execution.code.length > 2, "an accepted program is not empty");
  claim(execution.tool_count <= EXECUTE_TOOLS_MAXIMUM, "there are at most 512 tools");
  for (uint32_t i = 0; i < execution.tool_count; i++) {
    uint8_t name[EXECUTE_TOOL_NAME_MAXIMUM * 6];
    claim(execution.tools[i].length <= sizeof name + 2, "the text of a name is no longer than its escapes may be");
    size_t length = json_string_decode(execution.tools[i], name);
    claim(length >= 1 && length <= EXECUTE_TOOL_NAME_MAXIMUM && !memchr(name, 0, length), "a name has 1 to 256 bytes, no NUL");
    for (uint32_t other = 0; other < i; other++)
      claim(json_string_compare(execution.tools[i], execution.tools[other]) != 0, "names of tools are unique");
  }
  const uint64_t *limits = execution.limits.value;
  claim(limits[LIMIT_TIMEOUT_MS] >= 1 && limits[LIMIT_TIMEOUT_MS] <= ceilings.timeout_ms, "the time limit is in its range");
  claim(limits[LIMIT_MEMORY_BYTES] <= ceilings.memory_bytes, "the memory limit is below its ceiling");
  claim(limits[LIMIT_MAX_TOOL_CALLS] <= ceilings.max_calls, "the call limit is below its ceiling");
  claim(execution.features >> FEATURE_COUNT == 0, "only known features are granted");
  check_answer(&execution);
}

/* Whether the frame is good. */
static bool check_frame(const uint8_t *at, size_t length) {
  uint8_t *text = malloc(length + (length == 0));
  memcpy(text, at, length);
  struct json_key *keys = malloc(JSON_KEYS_FOR(length) * sizeof *keys);
  struct json_member members[EXECUTE_MEMBERS] = EXECUTE_MEMBER_KEYS;
  const char *error = json_scan(text, length, keys, members, EXECUTE_MEMBERS);
  claim(!error == json_oracle_accepts(text, length), "the scan and the oracle agree on a frame");
  if (!error) {
    const uint8_t *open = memchr(text, '{', length);
    const uint8_t *close = memrchr(text, '}', length);
    struct json_span frame = {open, (size_t)(close - open + 1)};
    check_value(frame, frame);
    for (size_t i = 0; i < EXECUTE_MEMBERS; i++) {
      struct json_span found = json_member_of(frame, members[i].key);
      claim(found.at == members[i].value.at && found.length == members[i].value.length,
            "the scan finds the same members as a walk");
    }
    check_execution(members);
  } else {
    claim(*error != 0, "a refused frame has a reason");
  }
  free(keys);
  free(text);
  return !error;
}

struct stream_summary {
  unsigned frames, good;
  bool oversized, partial;
};

/* A generator for the sizes of the reads; any will do. */
static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

/* A frame whose answer waits to be taken: the reader keeps it, and may move it. */
struct waiting_frame {
  uint64_t position;
  size_t start, length; /* in the stream; no length: none is kept */
  unsigned behind;      /* frames that were taken after it */
  bool is_released_up_to;
};

static void check_waiting(const struct waiting_frame *frame, const uint8_t *stream) {
  if (frame->length == 0) return;
  claim(memcmp(frame_input_at(frame->position), stream + frame->start, frame->length) == 0, "a waiting frame stays as it was");
}

/* Lets the reader reuse what is not waited for. */
static void release(struct waiting_frame *waiting, bool is_over) {
  if (waiting->length > 0 && waiting->behind < KEPT_FRAMES && !is_over) {
    /* Once is enough; saying it again must be harmless. */
    if (!waiting->is_released_up_to || waiting->behind % 2 == 0) frame_input_release(waiting->position);
    waiting->is_released_up_to = true;
  } else {
    waiting->length = 0;
    frame_input_release_taken();
  }
}

/* Reads the stream through a pipe, with so many bytes in each read (0: varying), and checks every frame. */
static struct stream_summary read_stream(const uint8_t *stream, size_t size, size_t frame_limit, size_t step, uint32_t seed) {
  static int ends[2] = {-1, -1};
  if (ends[0] < 0) claim(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0, "there are descriptors for a pipe");
  base_position = kept = released = taken = searched = filled = 0;
  claim(frame_input_prepare(frame_limit, KEPT_FRAMES) == 0, "the buffer can be made");
  struct stream_summary summary = {0};
  struct waiting_frame waiting = {0};
  const uint8_t *first = NULL; /* stays where it is, for ever */
  size_t first_length = 0;
  size_t written = 0, frame_start = 0;
  while (!summary.oversized && written < size) {
    size_t count = step ? step : 1 + next_random(&seed) % (2 * frame_limit);
    if (count > size - written) count = size - written;
    claim(write(ends[1], stream + written, count) == (ssize_t)count, "the pipe has room");
    written += count;
    do {
      if (summary.frames > 0) release(&waiting, next_random(&seed) % 4 == 0);
      enum frame_input_status status = frame_input_read(ends[0]);
      claim(status == FRAME_INPUT_READ || status == FRAME_INPUT_NOTHING, "an open pipe does not end");
      if (status == FRAME_INPUT_NOTHING) break;
      check_waiting(&waiting, stream);
      const uint8_t *frame;
      size_t length;
      while (frame_input_next(&frame, &length)) {
        claim(length <= frame_limit, "a frame is within its limit");
        claim(memcmp(frame, stream + frame_start, length) == 0 && stream[frame_start + length] == '\n',
              "a frame is what was sent");
        claim(frame_input_at(frame_input_position(frame)) == frame, "a position leads back");
        struct waiting_frame taken_frame = {frame_input_position(frame), frame_start, length, 0, false};
        frame_start += length + 1;
        summary.good += check_frame(frame, length);
        waiting.behind++;
        if (summary.frames++ == 0) {
          frame_input_keep();
          first = frame;
          first_length = length;
        } else if (waiting.length == 0 && next_random(&seed) % 2) {
          waiting = taken_frame;
        }
        claim(memcmp(first, stream, first_length) == 0, "the first frame stays as it was");
        check_waiting(&waiting, stream);
      }
      summary.oversized = frame_input_oversized();
    } while (!summary.oversized);
  }
  summary.partial = frame_input_partial();
  free(buffer);
  uint8_t rest[4096];
  while (read(ends[0], rest, sizeof rest) > 0) continue;
  return summary;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4 || size > STREAM_MAXIMUM) return 0;
  size_t frame_limit = 1 + ((size_t)data[0] << 8 | data[1]) % 5000;
  uint32_t seed = (uint32_t)(data[2] << 8 | data[3]);
  const uint8_t *stream = data + 4;
  size -= 4;
  struct stream_summary whole = read_stream(stream, size, frame_limit, STREAM_MAXIMUM, 0);
  struct stream_summary cut = read_stream(stream, size, frame_limit, seed % 64, seed);
  claim(whole.frames == cut.frames && whole.good == cut.good && whole.oversized == cut.oversized,
        "how a stream is cut does not matter");
  claim(whole.oversized || whole.partial == (size > 0 && stream[size - 1] != '\n'), "a partial frame is known");
  return 0;
}
