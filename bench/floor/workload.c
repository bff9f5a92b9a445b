/*
 * What is run; see workload.h.
 *
 * The runner comes out of the same build, so its frames are compared and not parsed: a host that had to find out what
 * they say could not be the floor. A frame that is not as expected ends everything, so nothing wrong is timed.
 */
#include "workload.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "failure.h"

const struct runner_ceilings default_ceilings = {
    .memory_bytes = 67108864,
    .stack_bytes = 1048576,
    .timeout_ms = 60000,
    .cpu_ms = 5000,
    .max_calls = 64,
    .max_concurrent_calls = 16,
    .max_frame_bytes = 1048576,
    .max_result_bytes = 524288,
    .max_log_bytes = 65536,
};

#define FRAME_START "{\"version\":\"code-bridge-v1\",\"type\":"

/* As long as those that a pool gives. */
#define EXECUTION_ID "01900000-0000-7000-8000-000000000000"

#define FEATURES \
  "[\"parallel-tools\",\"console\",\"limits\",\"undefined\",\"errors\",\"tool-paths\",\"timers\",\"web\",\"seed\"]"

/* Of what is quoted in a message. */
#define QUOTED_BYTES 200

static struct text frame_buffer(void) {
  size_t size = default_ceilings.max_frame_bytes + 1;
  void *buffer = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (buffer == MAP_FAILED) fail_with_errno("cannot map memory for a frame");
  return text_in(buffer, size);
}

static void append_limit(struct text *frame, const char *key, uint64_t value) {
  text_raw(frame, key);
  text_unsigned(frame, value);
}

struct workload workload_make(const char *program, const char *const *tools, unsigned tool_count) {
  struct text frame = frame_buffer();
  text_raw(&frame, FRAME_START "\"execute\",\"executionId\":\"" EXECUTION_ID "\",\"code\":");
  text_json_string(&frame, program, strlen(program));
  text_raw(&frame, ",\"tools\":[");
  for (unsigned i = 0; i < tool_count; i++) {
    text_raw(&frame, i == 0 ? "{\"name\":" : ",{\"name\":");
    text_json_string(&frame, tools[i], strlen(tools[i]));
    text_raw(&frame, "}");
  }
  append_limit(&frame, "],\"limits\":{\"timeoutMs\":", default_ceilings.timeout_ms);
  append_limit(&frame, ",\"cpuMs\":", default_ceilings.cpu_ms);
  append_limit(&frame, ",\"maxToolCalls\":", default_ceilings.max_calls);
  append_limit(&frame, ",\"maxConcurrentToolCalls\":", default_ceilings.max_concurrent_calls);
  append_limit(&frame, ",\"maxResultBytes\":", default_ceilings.max_result_bytes);
  append_limit(&frame, ",\"memoryBytes\":", default_ceilings.memory_bytes);
  append_limit(&frame, ",\"stackBytes\":", default_ceilings.stack_bytes);
  append_limit(&frame, ",\"maxLogBytes\":", default_ceilings.max_log_bytes);
  text_raw(&frame, "},\"features\":" FEATURES "}\n");
  if (frame.overflowed) fail("the program and its tools do not fit one frame; make the program shorter");
  return (struct workload){.execute = frame.start, .execute_length = text_length(&frame)};
}

void workload_expect_from(struct workload *workload, int descriptor) {
  struct text terminal = frame_buffer();
  text_raw(&terminal, FRAME_START "\"execution.result\",\"executionId\":\"" EXECUTION_ID "\"");
  text_raw(&terminal, ",\"ok\":true,\"result\":");
  const uint8_t *result = terminal.at;
  ssize_t count;
  while ((count = read(descriptor, terminal.at, text_room(&terminal))) > 0) terminal.at += count;
  if (count < 0) fail_with_errno("cannot read the expected result from standard input");
  if (terminal.at == result) fail("standard input is empty: write the JSON text of what the program returns there");
  if (!text_raw(&terminal, ",\"metrics\":{")) fail("the expected result is longer than a frame may be");
  workload->terminal = terminal.start;
  workload->terminal_length = text_length(&terminal);
}

/* A part of a frame that is still to be looked at. */
struct rest {
  const uint8_t *at, *end;
};

static bool skip(struct rest *rest, const char *literal) {
  size_t length = strlen(literal);
  if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, literal, length) != 0) return false;
  rest->at += length;
  return true;
}

static bool skip_number(struct rest *rest, uint64_t *number) {
  const uint8_t *start = rest->at;
  *number = 0;
  while (rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9') *number = *number * 10 + (*rest->at++ - '0');
  return rest->at > start;
}

static void begin_answer(struct text *answers, uint64_t id) {
  text_raw(answers, FRAME_START "\"tool.result\",\"id\":");
  text_unsigned(answers, id);
  text_raw(answers, ",\"ok\":true,\"result\":");
}

/* The two tools that the workloads have (bench/workloads.ts). False if it is neither, or has other arguments. */
static bool answer_call(struct rest call, struct text *answers) {
  uint64_t id, value;
  if (!skip_number(&call, &id) || !skip(&call, ",\"name\":")) return false;
  if (skip(&call, "\"math.double\",\"arguments\":{\"value\":")) {
    if (!skip_number(&call, &value) || !skip(&call, "}}") || call.at != call.end) return false;
    begin_answer(answers, id);
    text_raw(answers, "{\"value\":");
    text_unsigned(answers, value * 2);
    text_raw(answers, "}}\n");
    return true;
  }
  if (!skip(&call, "\"text.echo\",\"arguments\":")) return false;
  /* Its result is its argument: what is left of the frame, with the brace that closes it. */
  struct rest argument = call;
  if (!skip(&call, "{\"text\":\"")) return false;
  begin_answer(answers, id);
  text_bytes(answers, argument.at, (size_t)(argument.end - argument.at));
  text_raw(answers, "\n");
  return true;
}

static int quoted_length(size_t length) { return length < QUOTED_BYTES ? (int)length : QUOTED_BYTES; }

__attribute__((noreturn)) static void fail_for_end(const struct workload *workload, const uint8_t *frame,
                                                   size_t length) {
  size_t same = 0;
  while (same < length && same < workload->terminal_length && frame[same] == workload->terminal[same]) same++;
  size_t from = same < 32 ? 0 : same - 32;
  fail("the program did not end as expected: from byte %zu on, its last frame has\n%.*s\nin place of\n%.*s", same,
       quoted_length(length - from), frame + from, quoted_length(workload->terminal_length - from),
       workload->terminal + from);
}

bool workload_take_frame(const struct workload *workload, const uint8_t *frame, size_t length, struct text *answers) {
  struct rest rest = {frame, frame + length};
  if (!skip(&rest, FRAME_START)) fail("a runner sent what is no frame: %.*s", quoted_length(length), frame);
  if (skip(&rest, "\"tool.call\",\"id\":")) {
    if (!answer_call(rest, answers)) fail("there is no such tool here: %.*s", quoted_length(length), frame);
    if (answers->overflowed) fail("the answers to tool calls that are to be sent take more than all frames may");
    return false;
  }
  if (skip(&rest, "\"execution.result\",")) {
    if (length < workload->terminal_length || memcmp(frame, workload->terminal, workload->terminal_length) != 0)
      fail_for_end(workload, frame, length);
    return true;
  }
  if (!skip(&rest, "\"ready\",") && !skip(&rest, "\"log\","))
    fail("a runner sent a frame of unknown type: %.*s", quoted_length(length), frame);
  return false;
}
