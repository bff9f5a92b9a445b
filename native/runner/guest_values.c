/* Values of the guest; see guest_values.h. */
#include "guest_values.h"

#define CLASSES_MAXIMUM 256

struct guest_names guest_names;
guest_address guest_scratch;
static guest_address type_error_format;
static uint8_t kind_of_class[CLASSES_MAXIMUM]; /* enum guest_kind, plus one; 0: not learnt */

/* Plain objects are by far the most frequent: their class, for a short way around everything else. */
static uint32_t plain_class;

int guest_values_start(void) {
  guest_scratch = GUEST_CALL(wasm_malloc, GUEST_SCRATCH_BYTES);
  type_error_format = guest_copy("%s", 2);
  if (!guest_scratch || !type_error_format) return -1;
  guest_names = (struct guest_names){
      .to_json = guest_atom_of("toJSON"),
      .name = guest_atom_of("name"),
      .message = guest_atom_of("message"),
      .code = guest_atom_of("code"),
      .stack = guest_atom_of("stack"),
      .length = guest_atom_of("length"),
  };
  guest_value plain = GUEST_CALL(JS_NewObject, engine_context);
  plain_class = GUEST_CALL(JS_GetClassID, plain);
  guest_free(plain);
  return 0;
}

double guest_number(guest_value value) {
  switch (guest_tag_of(value)) {
    case GUEST_TAG_INT: return (int32_t)value;
    case GUEST_TAG_FLOAT64: return guest_float64(value);
    default: return 0;
  }
}

void guest_free(guest_value value) {
  /* Numbers and the like own nothing; sparing the call is worth a comparison. */
  if (guest_tag_of(value) < GUEST_TAG_INT) GUEST_RUN(JS_FreeValue, engine_context, value);
}

guest_address guest_copy(const void *bytes, size_t length) {
  if (length >= UINT32_MAX) return 0;
  guest_address copy = GUEST_CALL(wasm_malloc, (u32)length + 1);
  if (!copy) return 0;
  uint8_t *target = guest_bytes(copy, length + 1);
  if (length > 0) memcpy(target, bytes, length);
  target[length] = 0;
  return copy;
}

guest_value guest_string(const void *bytes, size_t length) {
  guest_address copy = guest_copy(bytes, length);
  if (!copy) return GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
  guest_value string = GUEST_CALL(JS_NewStringLen, engine_context, copy, (u32)length);
  GUEST_RUN(wasm_free, copy);
  return string;
}

guest_atom guest_atom_of(const char *name) {
  size_t length = strlen(name);
  guest_address copy = guest_copy(name, length);
  if (!copy) return 0;
  guest_atom atom = GUEST_CALL(JS_NewAtomLen, engine_context, copy, (u32)length);
  GUEST_RUN(wasm_free, copy);
  return atom;
}

guest_value guest_call(guest_value function, int count, const guest_value *arguments) {
  guest_address block = 0;
  if (count > 0) {
    /* A block of its own: built-in functions read their arguments in place, and may come back to us before
     * they do. */
    block = GUEST_CALL(wasm_malloc, (u32)count * 8u);
    if (!block) return GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
    for (int i = 0; i < count; i++) guest_store_u64(block + 8u * (u32)i, arguments[i]);
  }
  guest_value result = GUEST_CALL(JS_Call, engine_context, function, GUEST_UNDEFINED, (u32)count, block);
  if (block) GUEST_RUN(wasm_free, block);
  return result;
}

guest_value guest_call_method(guest_value function, guest_value self, guest_value argument) {
  guest_address block = GUEST_CALL(wasm_malloc, 8u);
  if (!block) return GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
  guest_store_u64(block, argument);
  guest_value result = GUEST_CALL(JS_Call, engine_context, function, self, 1u, block);
  GUEST_RUN(wasm_free, block);
  return result;
}

guest_value guest_own_property(guest_value object, const char *name) {
  guest_atom atom = guest_atom_of(name);
  guest_value value = GUEST_CALL(JS_GetProperty, engine_context, object, atom);
  GUEST_RUN(JS_FreeAtom, engine_context, atom);
  return value;
}

bool guest_define(guest_value object, const char *name, guest_value value) {
  if (guest_is_exception(value)) return false;
  guest_atom atom = guest_atom_of(name);
  s32 status = (s32)GUEST_CALL(JS_DefinePropertyValue, engine_context, object, atom, value, GUEST_ENUMERABLE);
  GUEST_RUN(JS_FreeAtom, engine_context, atom);
  return status >= 0;
}

static bool define_hidden(guest_value object, guest_atom name, const void *bytes, size_t length) {
  guest_value string = guest_string(bytes, length);
  if (guest_is_exception(string)) return false;
  /* Takes the string over, also when it fails. */
  return (s32)GUEST_CALL(JS_DefinePropertyValue, engine_context, object, name, string,
                         GUEST_CONFIGURABLE | GUEST_WRITABLE) >= 0;
}

guest_value guest_error(void) { return GUEST_CALL(JS_NewError, engine_context); }

bool guest_describe_error(guest_value error, const void *message, size_t message_length, const void *code,
                          size_t code_length) {
  return define_hidden(error, guest_names.message, message, message_length) &&
         (code_length == 0 || define_hidden(error, guest_names.code, code, code_length));
}

guest_value guest_type_error(const char *message) {
  guest_address copy = guest_copy(message, strlen(message));
  if (!copy) return GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
  guest_store_u32(guest_scratch, copy); /* the variable arguments, as the engine's C compiler lays them out */
  guest_value error = GUEST_CALL(JS_NewTypeError, engine_context, type_error_format, guest_scratch);
  GUEST_RUN(wasm_free, copy);
  return error;
}

struct guest_text guest_text_of(guest_value value) {
  struct guest_text text;
  text.address = GUEST_CALL(JS_ToCStringLen2, engine_context, guest_scratch, value, 0);
  text.length = text.address ? guest_load_u32(guest_scratch) : 0;
  return text;
}

struct guest_text guest_text_of_atom(guest_atom atom) {
  struct guest_text text;
  text.address = GUEST_CALL(JS_AtomToCStringLen, engine_context, guest_scratch, atom);
  text.length = text.address ? guest_load_u32(guest_scratch) : 0;
  return text;
}

void guest_text_free(struct guest_text text) {
  if (text.address) GUEST_RUN(JS_FreeCString, engine_context, text.address);
}

struct guest_span guest_uint8_array(guest_value array) {
  struct guest_span span;
  span.address = GUEST_CALL(JS_GetUint8Array, engine_context, guest_scratch, array);
  span.length = span.address ? guest_load_u32(guest_scratch) : 0;
  if (!span.address && GUEST_CALL(JS_HasException, engine_context)) guest_free(guest_take_exception());
  return span;
}

guest_value guest_take_exception(void) { return GUEST_CALL(JS_GetException, engine_context); }

void guest_learn_kind(guest_value sample, enum guest_kind kind) {
  uint32_t class = GUEST_CALL(JS_GetClassID, sample);
  if (class < CLASSES_MAXIMUM) kind_of_class[class] = (uint8_t)(kind + 1);
}

enum guest_kind guest_kind_of(guest_value object) {
  uint32_t class = GUEST_CALL(JS_GetClassID, object);
  if (class == plain_class) return GUEST_KIND_OTHER;
  if (class < CLASSES_MAXIMUM && kind_of_class[class]) return (enum guest_kind)(kind_of_class[class] - 1);
  /* Functions have many classes, and a proxy may stand for a function or an array. */
  if (GUEST_CALL(JS_IsFunction, engine_context, object)) return GUEST_KIND_FUNCTION;
  if (!GUEST_CALL(JS_IsProxy, object)) return GUEST_KIND_OTHER;
  guest_value target = GUEST_CALL(JS_GetProxyTarget, engine_context, object);
  bool is_array = guest_is_object(target) && GUEST_CALL(JS_IsArray, target);
  if (guest_is_exception(target))
    guest_free(guest_take_exception()); /* a revoked proxy: the next access says so */
  guest_free(target);
  return is_array ? GUEST_KIND_ARRAY : GUEST_KIND_OTHER;
}

guest_value guest_kind_of_call(uint32_t argument_count, guest_address arguments) {
  int32_t kind = -1;
  if (argument_count > 0) {
    guest_value object = guest_argument(arguments, 0);
    if (!GUEST_CALL(JS_IsProxy, object)) kind = (int32_t)guest_kind_of(object);
  }
  return GUEST_VALUE(GUEST_TAG_INT, kind);
}
