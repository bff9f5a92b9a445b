/* The runner's side of code-bridge-v1; see bridge.h. */
#include "bridge.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "boundary.h"
#include "bridge_calls.h"
#include "clock.h"
#include "diagnostics.h"
#include "frame_input.h"
#include "frame_output.h"
#include "json_string.h"
#include "mapping.h"
#include "stop.h"

/* How long a host may take to read the last frames after the deadline has passed, or after it has cancelled. The worker's
   backstop kills 250 ms after the deadline: a terminal frame that explains it should be there before. */
#define FINISH_GRACE_NS INT64_C(200000000)

/* Frames up to this length, nearly all, are scanned with memory that lies beside that of other small things. */
#define SMALL_FRAME_BYTES ((size_t)8 << 10)

struct execution bridge_execution;

static const struct runner_ceilings *ceilings;
static struct json_key *keys, *small_frame_keys; /* working memory of json_scan() */
static int descriptor;
static bool waiting; /* in bridge_wait_for_answer() */

int bridge_prepare(const struct runner_ceilings *process_ceilings) {
  ceilings = process_ceilings;
  size_t frame = ceilings->max_frame_bytes;
  small_frame_keys = map_table(JSON_KEYS_FOR(SMALL_FRAME_BYTES) * sizeof *keys);
  if (!small_frame_keys || bridge_calls_prepare((uint32_t)ceilings->max_concurrent_calls) != 0) return -1;
  if (frame_output_prepare(frame) != 0 || frame_input_prepare(frame, ceilings->max_concurrent_calls) != 0) return -1;
  keys = map_buffer(JSON_KEYS_FOR(frame) * sizeof *keys); /* last: nearly always untouched */
  return keys ? 0 : -1;
}

static struct json_key *keys_for(size_t length) {
  return length <= SMALL_FRAME_BYTES ? small_frame_keys : keys;
}

size_t bridge_frame_limit(void) { return ceilings->max_frame_bytes; }

bool bridge_carries(const uint8_t *text, size_t length) {
  return length <= ceilings->max_frame_bytes && !memchr(text, '\n', length) &&
         !json_scan(text, length, keys_for(length), NULL, 0);
}

/* Waits until the descriptor is ready for one of `events`, a signal arrives or the time has passed. */
static short wait_until_ready(short events, int64_t timeout) {
  struct pollfd poller = {.fd = descriptor, .events = events};
  struct timespec time = {timeout / NANOSECONDS_PER_SECOND, timeout % NANOSECONDS_PER_SECOND};
  int ready = ppoll(&poller, 1, timeout < 0 ? NULL : &time, &stop_wait_mask);
  return ready > 0 ? poller.revents : 0;
}

static void receive_answer(const struct json_member *members) {
  enum { VERSION, TYPE, ID, OK, RESULT, ERROR };
  uint64_t id;
  if (!json_is_integer(members[ID].value, 1, &id)) {
    stop_protocol_failure("a tool.result has no id that is a whole number");
    return;
  }
  struct json_span ok = members[OK].value;
  bool is_true = ok.at && *ok.at == 't';
  if (!is_true && !(ok.at && *ok.at == 'f')) {
    stop_protocol_failure("a tool.result has no ok that is true or false");
    return;
  }
  struct bridge_arrival arrival = {.ok = is_true};
  if (is_true) {
    arrival.spans[0] = members[RESULT].value;
  } else {
    struct json_span error = members[ERROR].value;
    if (json_is_object(error)) {
      arrival.spans[0] = json_member_of(error, "code");
      arrival.spans[1] = json_member_of(error, "message");
    }
    if (!json_is_string(arrival.spans[0]) || !json_is_string(arrival.spans[1])) {
      stop_protocol_failure("a tool.result that is not ok has no error with a code and a message");
      return;
    }
  }
  if (!bridge_calls_answer(id, &arrival))
    stop_protocol_failure("a tool.result answers a call that is not open");
}

static void receive_frame(const uint8_t *frame, size_t length) {
  enum { VERSION, TYPE, ID, OK, RESULT, ERROR, EXECUTION_ID };
  struct json_member members[] = {{.key = "version"}, {.key = "type"},  {.key = "id"},         {.key = "ok"},
                                  {.key = "result"},  {.key = "error"}, {.key = "executionId"}};
  const char *error = json_scan(frame, length, keys_for(length), members, sizeof members / sizeof *members);
  if (error) {
    stop_protocol_failure(error);
  } else if (!json_string_is(members[VERSION].value, "code-bridge-v1")) {
    stop_protocol_failure("a frame is not of version code-bridge-v1");
  } else if (json_string_is(members[TYPE].value, "tool.result")) {
    receive_answer(members);
  } else if (json_string_is(members[TYPE].value, "cancel")) {
    struct json_span id = members[EXECUTION_ID].value;
    if (!json_is_string(id) || json_string_compare(id, bridge_execution.id) != 0) {
      stop_protocol_failure("a cancel names another execution");
    } else {
      stop_record(STOP_CANCELLED);
    }
  } else if (json_string_is(members[TYPE].value, "execute")) {
    stop_protocol_failure("there is a second execute");
  } else {
    stop_protocol_failure("a frame has an unknown type");
  }
}

/* Takes all whole frames. */
static void receive_frames(void) {
  const uint8_t *frame;
  size_t length;
  while (!stop_causes && frame_input_next(&frame, &length)) receive_frame(frame, length);
  if (!stop_causes && frame_input_oversized())
    stop_protocol_failure("a frame is longer than the frame limit");
}

/* Reads what has arrived. The descriptor must be ready, or non-blocking. */
static void receive(void) {
  bridge_calls_release();
  switch (frame_input_read(descriptor)) {
    case FRAME_INPUT_READ: receive_frames(); break;
    case FRAME_INPUT_ENDED:
    case FRAME_INPUT_FAILED: stop_record(STOP_CANCELLED); break;
    case FRAME_INPUT_NOTHING: break;
  }
}

void bridge_flush(void) {
  if (frame_output_flush(descriptor) == FRAME_OUTPUT_FAILED) stop_record(STOP_HOST_LOST);
}

void bridge_look_at_host(void) {
  struct pollfd poller = {.fd = descriptor, .events = POLLIN};
  struct timespec none = {0, 0};
  if (ppoll(&poller, 1, &none, NULL) > 0) receive();
  if (frame_output_pending() > 0) bridge_flush();
}

/* One step of a wait for the host, until a moment at most, with the stop signals blocked. Unwinds if the run must end. */
static void wait_for_host(int64_t moment) {
  int64_t left = stop_time_left();
  if (stop_causes) boundary_unwind(BOUNDARY_STOPPED);
  if (moment != BRIDGE_NO_MOMENT) {
    int64_t until_moment = moment - clock_monotonic();
    if (until_moment < left) left = until_moment > 0 ? until_moment : 0;
  }
  short ready = wait_until_ready(frame_output_pending() > 0 ? POLLIN | POLLOUT : POLLIN, left);
  if (ready & POLLOUT) bridge_flush();
  if (ready & (POLLIN | POLLHUP | POLLERR)) receive();
}

bool bridge_was_waiting(void) { return waiting; }

void bridge_wait_for_answer(int64_t moment) {
  bridge_flush();
  waiting = true;
  stop_block_signals();
  do {
    wait_for_host(moment);
  } while (stop_causes || (!bridge_calls_answered() && (moment == BRIDGE_NO_MOMENT || clock_monotonic() < moment)));
  waiting = false;
  stop_unblock_signals();
}

void bridge_begin_frame(struct text *frame, const char *type) {
  if (!frame_output_begin(frame)) {
    bridge_flush();
    stop_block_signals();
    while (stop_causes || !frame_output_begin(frame)) wait_for_host(BRIDGE_NO_MOMENT);
    stop_unblock_signals();
  }
  text_raw(frame, "{\"version\":\"code-bridge-v1\",\"type\":\"");
  text_raw(frame, type);
  text_raw(frame, "\"");
}

bool bridge_commit_frame(struct text *frame) {
  text_raw(frame, "}");
  return frame_output_commit(frame);
}

/* Reads until there is a whole frame. -1, or what to exit with. */
static int receive_first_frame(const uint8_t **frame, size_t *length) {
  int64_t deadline =
      -1; /* a parked runner may wait for its work for ever; a frame that has begun must come to its end */
  while (!frame_input_next(frame, length)) {
    if (frame_input_oversized()) {
      diagnose("the first frame is longer than the limit of %llu bytes",
               (unsigned long long)ceilings->max_frame_bytes);
      return BRIDGE_EXIT_UNREADABLE;
    }
    if (deadline < 0 && frame_input_partial()) {
      deadline = clock_monotonic() + clock_from_milliseconds(ceilings->timeout_ms);
    }
    int64_t left = deadline < 0 ? -1 : deadline - clock_monotonic();
    if (stop_causes) {
      diagnose("stopped by a signal before the execute frame");
      return BRIDGE_EXIT_REFUSED;
    }
    if (deadline >= 0 && left <= 0) {
      diagnose("the first frame did not come to its end within %llu ms",
               (unsigned long long)ceilings->timeout_ms);
      return BRIDGE_EXIT_UNREADABLE;
    }
    if (!wait_until_ready(POLLIN, left)) continue;
    enum frame_input_status status = frame_input_read(descriptor);
    if (status == FRAME_INPUT_ENDED || status == FRAME_INPUT_FAILED) {
      diagnose("the host closed the bridge before the execute frame%s%s",
               status == FRAME_INPUT_FAILED ? ": " : "", status == FRAME_INPUT_FAILED ? strerror(errno) : "");
      return BRIDGE_EXIT_UNREADABLE;
    }
  }
  return -1;
}

static void write_ready(struct text *frame) {
  text_raw(frame, ",\"executionId\":");
  text_bytes(frame, bridge_execution.id.at, bridge_execution.id.length);
  text_raw(frame, ",\"runnerVersion\":\"" RUNNER_VERSION "\",\"effectiveLimits\":");
  run_limits_write(&bridge_execution.limits, frame);
  if (bridge_execution.negotiates) {
    text_raw(frame, ",\"features\":");
    features_write(bridge_execution.features, frame);
  }
}

int bridge_receive_execution(int bridge_descriptor) {
  descriptor = bridge_descriptor;
  const uint8_t *text;
  size_t length;
  int exit_code = receive_first_frame(&text, &length);
  if (exit_code >= 0) return exit_code;
  struct json_member members[EXECUTE_MEMBERS] = EXECUTE_MEMBER_KEYS;
  const char *error = json_scan(text, length, keys_for(length), members, EXECUTE_MEMBERS);
  if (error) {
    diagnose("the first frame cannot be parsed: %s", error);
    return BRIDGE_EXIT_UNREADABLE;
  }
  if (!execute_frame_read(&bridge_execution, members, ceilings)) return BRIDGE_EXIT_REFUSED;
  frame_input_keep();
  const struct run_limits *limits = &bridge_execution.limits;
  bool parallel = has_feature(bridge_execution.features, FEATURE_PARALLEL_TOOLS);
  bridge_calls_start(parallel ? (uint32_t)limits->value[LIMIT_MAX_CONCURRENT_TOOL_CALLS] : 1);
  stop_start_clock(limits->value[LIMIT_TIMEOUT_MS], limits->value[LIMIT_CPU_MS]);
  struct text frame;
  bridge_begin_frame(&frame, "ready");
  write_ready(&frame);
  if (!bridge_commit_frame(&frame)) {
    diagnose("the frame limit of %llu bytes leaves no room for a ready frame",
             (unsigned long long)ceilings->max_frame_bytes);
    return BRIDGE_EXIT_REFUSED;
  }
  bridge_flush();
  receive_frames(); /* what came in one go with the execute frame */
  return -1;
}

void bridge_begin_terminal(struct text *frame) {
  frame_output_begin_last(frame);
  text_raw(frame, "{\"version\":\"code-bridge-v1\",\"type\":\"execution.result\",\"executionId\":");
  text_bytes(frame, bridge_execution.id.at, bridge_execution.id.length);
}

int bridge_finish(struct text *frame) {
  if (!bridge_commit_frame(frame)) {
    diagnose("the frame limit of %llu bytes leaves no room for a terminal frame",
             (unsigned long long)ceilings->max_frame_bytes);
    return BRIDGE_EXIT_REFUSED;
  }
  enum frame_output_status status = frame_output_flush(descriptor);
  if (status == FRAME_OUTPUT_DONE) return BRIDGE_EXIT_SENT;
  /* No signal is to be served any more: there is nothing left that it could stop. */
  stop_block_signals();
  int64_t now = clock_monotonic();
  /* Whatever ended the program, a host that is merely behind is to hear of it. */
  int64_t wall = stop_causes & STOP_CANCELLED ? 0 : stop_time_left();
  int64_t deadline = now + wall + FINISH_GRACE_NS;
  while (status == FRAME_OUTPUT_BLOCKED && (now = clock_monotonic()) < deadline) {
    struct pollfd poller = {.fd = descriptor, .events = POLLOUT};
    int64_t left = deadline - now;
    struct timespec time = {left / NANOSECONDS_PER_SECOND, left % NANOSECONDS_PER_SECOND};
    (void)ppoll(&poller, 1, &time, NULL);
    status = frame_output_flush(descriptor);
  }
  if (status == FRAME_OUTPUT_DONE) return BRIDGE_EXIT_SENT;
  diagnose("the terminal frame could not be sent: %s",
           status == FRAME_OUTPUT_BLOCKED ? "the host does not read" : strerror(errno));
  return BRIDGE_EXIT_REFUSED;
}
