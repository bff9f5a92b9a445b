/* Evaluates source text in the engine; see script.h. */
#include "script.h"

#include "guest_values.h"

/* The engine's evaluation options, version 1. */
#define EVALUATION_GLOBAL (0u << 0)
#define EVALUATION_STRICT (1u << 3)
struct evaluation_options {
  int32_t version;
  uint32_t flags;
  guest_address file;
  int32_t line;
};

guest_value script_evaluate(guest_address source, size_t length, const char *file, int32_t line) {
  guest_address name = guest_copy(file, strlen(file));
  if (!name) return GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
  struct evaluation_options options = {1, EVALUATION_GLOBAL | EVALUATION_STRICT, name, line};
  memcpy(guest_bytes(guest_scratch, sizeof options), &options, sizeof options);
  guest_value value = GUEST_CALL(JS_Eval2, engine_context, source, (u32)length, guest_scratch);
  GUEST_RUN(wasm_free, name);
  return value;
}
