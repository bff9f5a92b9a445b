/*
 * Compiles the submitted text and runs it until it settles; see program.h.
 *
 * The text becomes the body of a strict async function, which is declared inside a block that throws it:
 *
 *     {throw __program__;
 *     async function __program__(){
 *     <text>
 *     }}
 *
 * The declaration is hoisted, so the function is thrown, to us, before anything else is evaluated. A text
 * that closes the function and goes on behind it is found out by the length of the function's source, before
 * any of it has run.
 */
#include "program.h"

#include "bootstrap.h"
#include "bridge.h"
#include "bridge_calls.h"
#include "clock.h"
#include "describe.h"
#include "encode.h"
#include "guest_values.h"
#include "json_string.h"
#include "outcome.h"
#include "rejections.h"
#include "script.h"
#include "source_position.h"
#include "timers.h"
#include "tool_calls.h"

#define HEAD "{throw " PROGRAM_FUNCTION ";\n" FUNCTION_HEAD
#define HEAD_LINE (-1) /* so that the text begins in line 1; the engine takes 0 for "not given" */
#define FUNCTION_HEAD "async function " PROGRAM_FUNCTION "(){\n"
#define FUNCTION_TAIL "\n}"
#define TAIL FUNCTION_TAIL "}"

enum { PROMISE_PENDING, PROMISE_FULFILLED, PROMISE_REJECTED }; /* the engine's */

static void fail_for_memory(void) {
  outcome_fail("memory", "the program reached its memory limit of %llu bytes",
               (unsigned long long)bridge_execution.limits.value[LIMIT_MEMORY_BYTES]);
}

/* Takes the value over. The engine's own error of exhausted memory is one that nothing in a program can make
   or catch; where there is no memory even for that error, the engine throws null. Some of its builtins (normalize(), for
   one) fail without any error when they get no memory: what is "thrown" then is a value that no program can make. */
static void fail_with(guest_value thrown) {
  bool is_nothing = guest_tag_of(thrown) == GUEST_TAG_UNINITIALIZED;
  bool is_engines = guest_tag_of(thrown) == GUEST_TAG_NULL ||
                    (guest_is_object(thrown) && GUEST_CALL(JS_IsUncatchableError, thrown));
  if (is_nothing || (engine_out_of_memory && is_engines)) {
    fail_for_memory();
  } else {
    describe_thrown(thrown);
  }
  guest_free(thrown);
}

static void fail_with_pending_exception(void) { fail_with(guest_take_exception()); }

struct source {
  guest_address address;
  size_t length;         /* of the whole script, bytes */
  size_t text_length;    /* of the submitted text, bytes */
  uint64_t text_units;   /* of the submitted text, UTF-16 code units, as the engine counts */
};

static uint64_t utf16_units(const uint8_t *text, size_t length) {
  uint64_t units = 0;
  for (size_t i = 0; i < length; i++) units += ((text[i] & 0xC0) != 0x80) + (text[i] >= 0xF0);
  return units;
}

/* Copies the text into the guest, wrapped. A CR alone becomes an LF: they mean the same, in templates too, and the engine
 * counts lines by LF everywhere. False, with an exception pending, if there is no memory. */
static bool copy_source(struct source *source) {
  size_t room = sizeof HEAD + bridge_execution.code.length + sizeof TAIL;
  source->address = GUEST_CALL(wasm_malloc, (u32)room);
  if (!source->address) {
    (void)GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
    return false;
  }
  uint8_t *start = guest_bytes(source->address, room);
  memcpy(start, HEAD, sizeof HEAD - 1);
  uint8_t *text = start + sizeof HEAD - 1;
  source->text_length = json_string_decode(bridge_execution.code, text);
  for (size_t i = 0; i < source->text_length; i++) {
    if (text[i] == '\r' && !(i + 1 < source->text_length && text[i + 1] == '\n')) text[i] = '\n';
  }
  memcpy(text + source->text_length, TAIL, sizeof TAIL); /* with its NUL */
  source->length = sizeof HEAD - 1 + source->text_length + sizeof TAIL - 1;
  source->text_units = utf16_units(text, source->text_length);
  return true;
}

/* The UTF-16 length of a function's source; 0 if it has none. */
static uint64_t source_units(guest_value function) {
  guest_value text = guest_call(bootstrap.source_of, 1, &function);
  if (!guest_is_string(text) || (s32)GUEST_CALL(JS_GetLength, engine_context, text, guest_scratch) < 0)
    return 0;
  guest_free(text);
  return guest_load_u64(guest_scratch);
}

/* Puts the position of the outcome behind the first `units` code units of the text. */
static void set_position(uint64_t units) {
  struct source_position position = source_position_behind(bridge_execution.code, units);
  outcome.line = position.line;
  outcome.column = position.column;
}

static bool is_syntax_error(void) {
  static const char name[] = "SyntaxError";
  return outcome.name.length == sizeof name - 1 && memcmp(outcome.name.bytes, name, sizeof name - 1) == 0;
}

/* The function that the text is the body of. False, with the outcome set, if it is none. */
static bool compile(guest_value *function) {
  struct source source;
  if (!copy_source(&source)) {
    fail_with_pending_exception();
    return false;
  }
  guest_value value = script_evaluate(source.address, source.length, PROGRAM_FILE, HEAD_LINE);
  if (!guest_is_exception(value)) { /* cannot be: the script throws first of all */
    outcome_fail("internal", "the program was not compiled as a function");
    return false;
  }
  *function = guest_take_exception();
  if (!guest_is_object(*function) || !GUEST_CALL(JS_IsFunction, engine_context, *function)) {
    fail_with(*function);
    /* An error that the engine finds behind the text is one of its end: something is not closed. */
    if (outcome.line == 0 && is_syntax_error()) set_position(source.text_units);
    return false;
  }
  uint64_t units = source_units(*function);
  uint64_t wrapper = sizeof FUNCTION_HEAD - 1 + sizeof FUNCTION_TAIL - 1;
  if (units != source.text_units + wrapper) {
    outcome_fail("javascript", "unexpected '}': it closes more than the program has opened");
    outcome_set(&outcome.name, "SyntaxError", 11);
    set_position(units > sizeof FUNCTION_HEAD ? units - sizeof FUNCTION_HEAD : 0);
    return false;
  }
  GUEST_RUN(wasm_free, source.address);
  return true;
}

/* Runs jobs until the program has settled or there are none. False, with the outcome set, if one could not be
 * run. */
static bool run_jobs(guest_value promise) {
  while (GUEST_CALL(JS_PromiseState, engine_context, promise) == PROMISE_PENDING) {
    s32 status = (s32)GUEST_CALL(JS_ExecutePendingJob, engine_runtime, guest_scratch);
    if (status == 0) return true;
    if (status < 0) {
      fail_with_pending_exception();
      return false;
    }
  }
  return true;
}

struct task {
  bool answered;    /* an answer waits to be delivered */
  int64_t timer_at; /* when the next timer is due */
};

/* Waits until there is something to go on with. False, with the outcome set, if there never will be. */
static bool wait_for_task(struct task *task) {
  task->timer_at = timers_next();
  task->answered = bridge_calls_answered();
  if (task->answered) return true;
  if (task->timer_at == TIMERS_NEVER && bridge_open_calls() == 0) {
    outcome_fail("javascript", "the program never settles: it awaits a promise that nothing can settle any more");
    return false;
  }
  bridge_wait_for_answer(task->timer_at);
  task->answered = bridge_calls_answered();
  return true;
}

/*
 * Tasks as a browser has them: the answer of one call, or one timer; then all jobs that come of it. Answers and timers take
 * turns where both have work, so that neither can keep the other from running.
 */
static bool run_until_settled(guest_value promise) {
  bool timer_was_last = false;
  for (;;) {
    if (!run_jobs(promise)) return false;
    if (GUEST_CALL(JS_PromiseState, engine_context, promise) != PROMISE_PENDING) return true;
    struct task task;
    if (!wait_for_task(&task)) return false;
    bool timer_is_due = task.timer_at != TIMERS_NEVER && task.timer_at <= clock_monotonic();
    bool run_timer = timer_is_due && !(task.answered && timer_was_last);
    if (run_timer ? !timers_run_next() : tool_calls_deliver() != 0) {
      fail_with_pending_exception();
      return false;
    }
    timer_was_last = run_timer;
  }
}

static void take_result(guest_value value) {
  uint64_t maximum = bridge_execution.limits.value[LIMIT_MAX_RESULT_BYTES];
  struct encoding encoding;
  encode_value(value, (size_t)maximum, &encoding);
  switch (encoding.status) {
    case ENCODE_DONE:
    case ENCODE_NOTHING:
      outcome.ok = true;
      outcome.result = encoding.status == ENCODE_DONE ? encoding.text : NULL;
      outcome.result_length = encoding.length;
      break;
    case ENCODE_REFUSED:
      outcome_fail("result", "the result cannot be sent: %s %s", encoding.path, encoding.reason);
      outcome_set(&outcome.path, encoding.path, strlen(encoding.path));
      break;
    case ENCODE_TOO_LARGE:
      outcome_fail("result_limit", "the result is larger than its limit of %llu bytes of JSON",
                   (unsigned long long)maximum);
      break;
    case ENCODE_THREW: fail_with_pending_exception(); break;
  }
}

static void run(guest_value promise) {
  if (!run_until_settled(promise)) return;
  guest_value value = GUEST_CALL(JS_PromiseResult, engine_context, promise);
  if (GUEST_CALL(JS_PromiseState, engine_context, promise) == PROMISE_REJECTED) {
    fail_with(value);
  } else {
    take_result(value);
  }
}

void program_run(void) {
  guest_value function;
  if (bootstrap_withdraw_features(bridge_execution.features) != 0 || tool_calls_start() != 0) {
    fail_with_pending_exception();
    return;
  }
  if (!compile(&function)) return;
  guest_value promise = guest_call(function, 0, NULL);
  if (guest_is_exception(promise)) {
    fail_with_pending_exception();
    return;
  }
  run(promise);
  rejections_report(promise);
}
