/* The functions of the runner that scripts of the bootstrap call; see host_functions.h. */
#include "host_functions.h"

#include "console_log.h"
#include "guest_values.h"
#include "program_clock.h"
#include "random_bytes.h"
#include "text_coding.h"

static const struct {
  const char *name;
  guest_value (*function)(uint32_t argument_count, guest_address arguments);
  uint32_t parameters;
} functions[] = {
    {CONSOLE_LOG_FUNCTION, console_log_call, 2},
    {PROGRAM_CLOCK_NOW_FUNCTION, program_clock_now_call, 0},
    {PROGRAM_CLOCK_READ_FUNCTION, program_clock_read_call, 0},
    {PROGRAM_CLOCK_ELAPSED_FUNCTION, program_clock_elapsed_call, 0},
    {PROGRAM_CLOCK_REACH_FUNCTION, program_clock_reach_call, 1},
    {PROGRAM_CLOCK_ORIGIN_FUNCTION, program_clock_origin_call, 0},
    {RANDOM_BYTES_FUNCTION, random_bytes_call, 1},
    {TEXT_ENCODE_FUNCTION, text_coding_encode_call, 1},
    {TEXT_DECODE_FUNCTION, text_coding_decode_call, 2},
    {GUEST_KIND_OF_FUNCTION, guest_kind_of_call, 1},
};

static guest_value make(const char *name, uint32_t parameters) {
  guest_address copy = guest_copy(name, strlen(name));
  if (!copy) return GUEST_EXCEPTION;
  guest_address box = GUEST_CALL(qjs_new_host_function, copy, (u32)strlen(name), parameters);
  if (!box) return GUEST_EXCEPTION;
  guest_value function = guest_load_u64(box);
  GUEST_RUN(wasm_free, box);
  return function;
}

guest_value host_functions_object(void) {
  guest_value object = GUEST_CALL(JS_NewObjectProto, engine_context, GUEST_NULL);
  if (guest_is_exception(object)) return object;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    guest_value function = make(functions[i].name, functions[i].parameters);
    if (!guest_define(object, functions[i].name, function)) return GUEST_EXCEPTION;
  }
  return object;
}

guest_value host_functions_call(const char *name, size_t name_length, uint32_t argument_count, guest_address arguments) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strlen(functions[i].name) == name_length && memcmp(functions[i].name, name, name_length) == 0)
      return functions[i].function(argument_count, arguments);
  }
  boundary_trap("it called a function that does not exist");
}
