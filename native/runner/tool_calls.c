/* The global `tools`; see tool_calls.h. */
#include "tool_calls.h"

#include <stdio.h>

#include "bootstrap.h"
#include "bridge.h"
#include "bridge_calls.h"
#include "encode.h"
#include "guest_values.h"
#include "json_string.h"
#include "mapping.h"
#include "stop.h"
#include "tool_queue.h"

/* Everything of a tool.call frame but its name and arguments, at its longest. */
#define CALL_FRAME_OVERHEAD 128u

static struct pending_call *open_calls; /* by slot */
static uint64_t accepted; /* calls that were sent, or wait for their turn */

int tool_calls_prepare(uint32_t maximum) {
  open_calls = map_table(maximum * sizeof *open_calls);
  return open_calls ? 0 : -1;
}

static guest_value make_function(uint32_t index, guest_value name) {
  char native_name[16] = {TOOL_FUNCTION_PREFIX};
  struct text text = text_in(native_name + 1, sizeof native_name - 1);
  text_unsigned(&text, index);
  u32 length = (u32)text_length(&text) + 1;
  guest_address copy = guest_copy(native_name, length);
  if (!copy) return GUEST_EXCEPTION;
  guest_address box = GUEST_CALL(qjs_new_host_function, copy, length, 1u);
  GUEST_RUN(wasm_free, copy);
  if (!box) return GUEST_EXCEPTION;
  guest_value function = guest_load_u64(box);
  GUEST_RUN(wasm_free, box);
  if (guest_is_exception(function)) return function;
  guest_value own_name = GUEST_CALL(JS_DupValue, engine_context, name);
  s32 status = (s32)GUEST_CALL(JS_DefinePropertyValue, engine_context, function, guest_names.name, own_name,
                               GUEST_CONFIGURABLE);
  return status < 0 ? GUEST_EXCEPTION : function;
}

/* Defines one tool under its name, which may be anything: __proto__, constructor, 3d. */
static int define_tool(guest_value tools, uint32_t index) {
  struct json_span raw = bridge_execution.tools[index];
  uint8_t decoded[EXECUTE_TOOL_NAME_MAXIMUM * 6 + 2]; /* with quotes; an escape is longer than what it stands for */
  if (raw.length > sizeof decoded) return -1;
  size_t length = json_string_decode(raw, decoded);
  guest_value name = guest_string(decoded, length);
  if (guest_is_exception(name)) return -1;
  guest_atom atom = GUEST_CALL(JS_ValueToAtom, engine_context, name);
  guest_value function = make_function(index, name);
  guest_free(name);
  if (!atom || guest_is_exception(function)) return -1;
  s32 status =
      (s32)GUEST_CALL(JS_DefinePropertyValue, engine_context, tools, atom, function, GUEST_ENUMERABLE);
  GUEST_RUN(JS_FreeAtom, engine_context, atom);
  return status < 0 ? -1 : 0;
}

/* Whether a name may have a dot in it, which may be written as an escape. */
static bool has_dotted_name(void) {
  for (uint32_t i = 0; i < bridge_execution.tool_count; i++) {
    struct json_span name = bridge_execution.tools[i];
    if (memchr(name.at, '.', name.length) || memchr(name.at, '\\', name.length)) return true;
  }
  return false;
}

static int add_paths(guest_value tools) {
  if (!has_feature(bridge_execution.features, FEATURE_TOOL_PATHS) || !has_dotted_name()) return 0;
  guest_value done = guest_call(bootstrap.add_tool_paths, 1, &tools);
  guest_free(done);
  return guest_is_exception(done) ? -1 : 0;
}

int tool_calls_start(void) {
  guest_value tools = GUEST_CALL(JS_NewObjectProto, engine_context, GUEST_NULL);
  if (guest_is_exception(tools)) return -1;
  for (uint32_t i = 0; i < bridge_execution.tool_count; i++) {
    if (define_tool(tools, i) != 0) return -1;
  }
  if (add_paths(tools) != 0) return -1;
  if ((s32)GUEST_CALL(JS_PreventExtensions, engine_context, tools) < 0) return -1;
  guest_value global = GUEST_CALL(JS_GetGlobalObject, engine_context);
  guest_atom atom = guest_atom_of("tools");
  s32 status = (s32)GUEST_CALL(JS_DefinePropertyValue, engine_context, global, atom, tools, 0);
  GUEST_RUN(JS_FreeAtom, engine_context, atom);
  guest_free(global);
  return status < 0 ? -1 : 0;
}

/* A rejected promise: what goes wrong with a call is found out by awaiting it, like everything else about it.
 */
static guest_value rejected(guest_value reason) {
  if (guest_is_exception(reason)) return reason;
  guest_value promise = GUEST_CALL(JS_NewSettledPromise, engine_context, 1u, reason);
  guest_free(reason);
  return promise;
}

static guest_value rejected_with_type_error(const char *tool, const char *complaint, const char *reason) {
  char message[512];
  snprintf(message, sizeof message, "%s%s%s", tool, complaint, reason);
  return rejected(guest_type_error(message));
}

/* What stands for the arguments of a call when they cannot be sent: a rejected promise. */
static guest_value reject_arguments(const struct encoding *encoding) {
  switch (encoding->status) {
    case ENCODE_THREW: {
      guest_value reason = guest_take_exception();
      if (engine_out_of_memory) return GUEST_CALL(JS_Throw, engine_context, reason);
      return rejected(reason);
    }
    case ENCODE_REFUSED: {
      char message[ENCODE_PATH_BYTES + 8];
      snprintf(message, sizeof message, "%s ", encoding->path);
      return rejected_with_type_error("the argument of a tool cannot be sent: ", message, encoding->reason);
    }
    case ENCODE_TOO_LARGE:
      return rejected_with_type_error("the argument of a tool cannot be sent: ", "it is too large", "");
    default: return rejected_with_type_error("the argument of a tool must be a plain object", "", "");
  }
}

static size_t largest_arguments(uint32_t tool) {
  size_t frame = bridge_frame_limit();
  size_t overhead = CALL_FRAME_OVERHEAD + bridge_execution.tools[tool].length;
  return frame > overhead ? frame - overhead : 0;
}

static void send_call(uint32_t tool, const void *arguments, size_t length, const struct pending_call *call) {
  struct text frame;
  bridge_begin_frame(&frame, "tool.call");
  uint64_t id;
  uint32_t slot = bridge_open_call(&id);
  open_calls[slot] = *call;
  text_raw(&frame, ",\"id\":");
  text_unsigned(&frame, id);
  text_raw(&frame, ",\"name\":");
  text_bytes(&frame, bridge_execution.tools[tool].at, bridge_execution.tools[tool].length);
  text_raw(&frame, ",\"arguments\":");
  text_bytes(&frame, arguments, length);
  /* Cannot fail: the arguments were encoded into what the frame has room for. */
  if (!bridge_commit_frame(&frame)) stop_protocol_failure("a tool.call did not fit its frame");
}

/* Encodes the argument of a call: ENCODE_DONE with the text of an object, or something to reject. */
static void encode_arguments(uint32_t tool, uint32_t argument_count, guest_address arguments,
                             struct encoding *encoding) {
  guest_value argument = argument_count > 0 ? guest_argument(arguments, 0) : GUEST_UNDEFINED;
  if (guest_is_undefined(argument)) {
    encode_empty_object(encoding);
    return;
  }
  encode_value(argument, largest_arguments(tool), encoding);
  if (encoding->status == ENCODE_DONE && encoding->text[0] != '{') {
    encode_release(encoding);
    encoding->status = ENCODE_NOTHING;
  }
}

/* Sends the call, or lets it wait for its turn. False, with an exception pending, if there is no memory for
 * that. */
static bool send_or_queue(uint32_t tool, const struct encoding *encoding, const struct pending_call *call) {
  if (bridge_open_calls() < bridge_calls_maximum() && tool_queue_length() == 0) {
    send_call(tool, encoding->text, encoding->length, call);
    return true;
  }
  guest_value arguments = guest_string(encoding->text, encoding->length);
  return !guest_is_exception(arguments) && tool_queue_push(tool, arguments, call);
}

static void check_limit_of_calls(void) {
  if (++accepted <= bridge_execution.limits.value[LIMIT_MAX_TOOL_CALLS]) return;
  stop_record(STOP_CALL_LIMIT);
  boundary_unwind(BOUNDARY_STOPPED);
}

uint64_t tool_calls_unsettled(void) { return (uint64_t)bridge_open_calls() + tool_queue_length(); }

guest_value tool_calls_call(const char *name, size_t name_length, uint32_t argument_count,
                            guest_address arguments) {
  uint32_t tool = 0;
  for (size_t i = 1; i < name_length && tool < EXECUTE_TOOLS_MAXIMUM; i++)
    tool = tool * 10 + (uint32_t)(name[i] - '0');
  /* The name comes out of the guest's memory. */
  if (tool >= bridge_execution.tool_count) boundary_trap("it called a tool that does not exist");
  struct encoding encoding;
  encode_arguments(tool, argument_count, arguments, &encoding);
  if (encoding.status != ENCODE_DONE) return reject_arguments(&encoding);
  check_limit_of_calls();
  /* The error is made now, in case it is needed: its stack then names the line of the call. */
  struct pending_call call = {.error = guest_error()};
  guest_value promise = GUEST_CALL(JS_NewPromiseCapability, engine_context, guest_scratch);
  if (guest_is_exception(promise) || guest_is_exception(call.error)) return GUEST_EXCEPTION;
  call.resolve = guest_load_u64(guest_scratch);
  call.reject = guest_load_u64(guest_scratch + 8);
  bool possible = send_or_queue(tool, &encoding, &call);
  encode_release(&encoding);
  return possible ? promise : GUEST_EXCEPTION;
}

/* The value that an answer carries. The answer is looked at again after each call of the guest: its text may
 * have moved. */
static guest_value result_of(const struct bridge_answer *answer) {
  struct bridge_answer again;
  if (!answer->result.at) return GUEST_NULL;
  size_t length = answer->result.length;
  guest_address copy = GUEST_CALL(wasm_malloc, (u32)length + 1);
  if (!copy) return GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
  (void)bridge_next_answer(&again);
  uint8_t *text = guest_bytes(copy, length + 1);
  memcpy(text, again.result.at, length);
  text[length] = 0;
  /* The file name is for errors, of which good JSON gives none. */
  guest_value value = GUEST_CALL(JS_ParseJSON, engine_context, copy, (u32)length, copy + (u32)length);
  GUEST_RUN(wasm_free, copy);
  return value;
}

/* The error of the call, with what an answer says about it. */
static guest_value error_of(const struct bridge_answer *answer) {
  guest_value error = open_calls[answer->slot].error;
  struct bridge_answer again;
  size_t room = answer->code.length + answer->message.length;
  guest_address copy = GUEST_CALL(wasm_malloc, (u32)room);
  if (!copy) return GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
  (void)bridge_next_answer(&again);
  uint8_t *text = guest_bytes(copy, room);
  size_t code_length = json_string_decode(again.code, text);
  size_t message_length = json_string_decode(again.message, text + code_length);
  bool described = guest_describe_error(error, text + code_length, message_length, text, code_length);
  GUEST_RUN(wasm_free, copy);
  return described ? error : GUEST_EXCEPTION;
}

/*
 * Whether a call that waited for its turn can be sent as it now is. All of it was in the guest's memory meanwhile, and so
 * were the functions by which its text was got: these may even have opened other calls.
 */
static bool is_as_it_was(uint32_t tool, const uint8_t *text, size_t length) {
  return bridge_open_calls() < bridge_calls_maximum() && length <= largest_arguments(tool) && bridge_carries(text, length);
}

/* Sends calls that waited for their turn. */
static int send_queued(void) {
  uint32_t tool;
  guest_value arguments;
  struct pending_call call;
  while (bridge_open_calls() < bridge_calls_maximum() && tool_queue_shift(&tool, &arguments, &call)) {
    struct guest_text text = guest_text_of(arguments);
    if (!text.address) return -1;
    const uint8_t *bytes = guest_bytes(text.address, text.length);
    if (!is_as_it_was(tool, bytes, text.length)) boundary_trap("it changed a call that waited for its turn");
    send_call(tool, bytes, text.length, &call);
    guest_text_free(text);
    guest_free(arguments);
  }
  return 0;
}

int tool_calls_deliver(void) {
  struct bridge_answer answer;
  if (!bridge_next_answer(&answer)) return 0;
  guest_value value = answer.ok ? result_of(&answer) : error_of(&answer);
  if (guest_is_exception(value)) return -1;
  struct pending_call call = open_calls[answer.slot];
  bridge_close_answered();
  guest_value done = guest_call(answer.ok ? call.resolve : call.reject, 1, &value);
  if (answer.ok) guest_free(value);
  guest_free(call.error);
  guest_free(call.resolve);
  guest_free(call.reject);
  if (guest_is_exception(done)) return -1;
  guest_free(done);
  return send_queued();
}
