/* Values of the guest as JSON text; see encode.h. */
#include "encode.h"

#include <math.h>
#include <stdio.h>

#include "bootstrap.h"
#include "encode_path.h"
#include "guest_values.h"
#include "json_scan.h"
#include "mapping.h"
#include "text.h"

#define NAMES_STRING_ENUMERABLE ((1u << 0) | (1u << 4)) /* flags of JS_GetOwnPropertyNames */
#define INTEGER_MAXIMUM 9007199254740992.0 /* up to here a double prints like the integer that it is */

enum { VALUE_WRITTEN, VALUE_OPENED, VALUE_ABSENT, VALUE_FAILED };

struct encoder {
  struct text text;
  struct encoding *result;
  uint32_t depth;
  struct encode_level levels[ENCODE_NESTING_MAXIMUM];
};

/* Encodings that nest share one buffer: each begins where the one around it has got to. */
static uint8_t *buffer;
static size_t buffer_bytes, buffer_used;

int encode_prepare(size_t max_bytes) {
  buffer_bytes = max_bytes * 2;
  buffer = map_buffer(buffer_bytes);
  return buffer ? 0 : -1;
}

static int fail(struct encoder *encoder, enum encode_status status, const char *reason) {
  encoder->result->status = status;
  encoder->result->reason = reason;
  if (status == ENCODE_REFUSED) {
    encode_path_write(encoder->levels, encoder->depth, encoder->result->path, sizeof encoder->result->path);
  }
  return VALUE_FAILED;
}

/* The pending exception came from reading a value: not from a toJSON, whose errors are the program's. */
static int refuse_unreadable(struct encoder *encoder, const char *reason) {
  if (engine_out_of_memory) return fail(encoder, ENCODE_THREW, "");
  guest_free(guest_take_exception());
  return fail(encoder, ENCODE_REFUSED, reason);
}

static int written(struct encoder *encoder, bool fits) {
  return fits ? VALUE_WRITTEN : fail(encoder, ENCODE_TOO_LARGE, "");
}

/* Before anything that may run code of the program: what is written so far must survive an encoding that it
 * starts. In an engine that was taken over that is every call of it. */
static void claim_written(struct encoder *encoder) { buffer_used = (size_t)(encoder->text.at - buffer); }

static int write_guest_text(struct encoder *encoder, struct guest_text text) {
  if (!text.address) return fail(encoder, ENCODE_THREW, "");
  const uint8_t *bytes = guest_bytes(text.address, text.length);
  bool fits = text_json_string(&encoder->text, bytes, text.length);
  guest_text_free(text);
  return written(encoder, fits);
}

/* The text of a number, which the engine makes in its own memory, and which is sent without quotes. */
static int write_digits(struct encoder *encoder, struct guest_text text) {
  if (!text.address) return fail(encoder, ENCODE_THREW, "");
  const uint8_t *bytes = guest_bytes(text.address, text.length);
  if (!json_scan_is_number(bytes, text.length)) boundary_trap("it wrote a number that is none");
  bool fits = text_bytes(&encoder->text, bytes, text.length);
  guest_text_free(text);
  return written(encoder, fits);
}

static int write_number(struct encoder *encoder, guest_value value) {
  double number = guest_float64(value);
  if (!isfinite(number)) {
    return fail(encoder, ENCODE_REFUSED,
                isnan(number) ? "is NaN, which JSON does not have" : "is infinite, which JSON does not have");
  }
  if (number == floor(number) && fabs(number) < INTEGER_MAXIMUM) {
    return written(encoder, text_signed(&encoder->text, (int64_t)number)); /* -0 becomes 0 */
  }
  return write_digits(encoder, guest_text_of(value));
}

/* Everything but objects and BigInt. */
static int encode_primitive(struct encoder *encoder, guest_value value) {
  switch (guest_tag_of(value)) {
    case GUEST_TAG_STRING:
    case GUEST_TAG_STRING_ROPE: return write_guest_text(encoder, guest_text_of(value));
    case GUEST_TAG_INT: return written(encoder, text_signed(&encoder->text, (int32_t)value));
    case GUEST_TAG_FLOAT64: return write_number(encoder, value);
    case GUEST_TAG_BOOL:
      return written(encoder, text_raw(&encoder->text, (uint32_t)value ? "true" : "false"));
    case GUEST_TAG_NULL: return written(encoder, text_raw(&encoder->text, "null"));
    case GUEST_TAG_UNDEFINED: return VALUE_ABSENT;
    case GUEST_TAG_SYMBOL: return fail(encoder, ENCODE_REFUSED, "is a symbol, which JSON does not have");
    default: return fail(encoder, ENCODE_REFUSED, "is a value that JSON does not have");
  }
}

/* toJSON of an object or BigInt, called if there is one. Takes `*value` over, gives what stands for it. */
static bool apply_to_json(struct encoder *encoder, guest_value *value) {
  claim_written(encoder);
  guest_value method = GUEST_CALL(JS_GetProperty, engine_context, *value, guest_names.to_json);
  if (guest_is_exception(method)) {
    (void)refuse_unreadable(encoder, "has a toJSON that cannot be read");
    return false;
  }
  if (!guest_is_object(method) || !GUEST_CALL(JS_IsFunction, engine_context, method)) {
    guest_free(method);
    return true;
  }
  guest_value key = encode_level_key(encoder->levels, encoder->depth);
  guest_value replacement = guest_is_exception(key) ? key : guest_call_method(method, *value, key);
  guest_free(key);
  guest_free(method);
  if (guest_is_exception(replacement)) {
    (void)fail(encoder, ENCODE_THREW, "");
    return false;
  }
  guest_free(*value);
  *value = replacement;
  return true;
}

static const char *reason_to_refuse(enum guest_kind kind) {
  switch (kind) {
    case GUEST_KIND_FUNCTION: return "is a function, which JSON does not have";
    case GUEST_KIND_REGEXP: return "is a regular expression, which JSON does not have; send its source";
    case GUEST_KIND_PROMISE: return "is a promise; await it";
    case GUEST_KIND_MAP: return "is a Map; convert it, for example with Object.fromEntries(map)";
    case GUEST_KIND_SET: return "is a Set; convert it, for example with [...set]";
    case GUEST_KIND_WEAK: return "is a weak reference or collection, which cannot be sent";
    case GUEST_KIND_BINARY: return "is binary data; convert it, for example with Array.from(bytes)";
    case GUEST_KIND_BOXED_UNFIT: return "is an object around a BigInt or a symbol, which JSON does not have";
    default: return NULL;
  }
}

/* JSON.stringify would make null of it, and nobody would learn of the mistake. */
static bool is_invalid_date(guest_value date) {
  guest_value time = guest_call(bootstrap.time_of, 1, &date);
  if (guest_is_exception(time)) {
    guest_free(guest_take_exception());
    return false;
  }
  return isnan(guest_number(time));
}

/* A property of an error, as text. */
static int write_error_property(struct encoder *encoder, guest_value error, guest_atom name) {
  claim_written(encoder);
  guest_value value = GUEST_CALL(JS_GetProperty, engine_context, error, name);
  struct guest_text text = {0, 0};
  if (!guest_is_exception(value)) text = guest_text_of(value);
  guest_free(value);
  if (!text.address) return refuse_unreadable(encoder, "is an Error whose name or message cannot be read");
  return write_guest_text(encoder, text);
}

static int write_error(struct encoder *encoder, guest_value error) {
  int status = written(encoder, text_raw(&encoder->text, "{\"name\":"));
  if (status == VALUE_WRITTEN) status = write_error_property(encoder, error, guest_names.name);
  if (status == VALUE_WRITTEN) status = written(encoder, text_raw(&encoder->text, ",\"message\":"));
  if (status == VALUE_WRITTEN) status = write_error_property(encoder, error, guest_names.message);
  return status == VALUE_WRITTEN ? written(encoder, text_raw(&encoder->text, "}")) : status;
}

/* new Number(1), new String('a'), new Boolean(true): converted as JSON.stringify converts them. */
static int write_boxed(struct encoder *encoder, guest_value value, enum guest_kind kind) {
  claim_written(encoder);
  bool is_string = kind == GUEST_KIND_BOXED_STRING;
  guest_value primitive = is_string ? GUEST_CALL(JS_ToString, engine_context, value)
                                    : GUEST_CALL(JS_ToNumber, engine_context, value);
  if (guest_is_exception(primitive))
    return refuse_unreadable(encoder, "cannot be converted to its primitive");
  int status;
  if (kind == GUEST_KIND_BOXED_BOOLEAN) {
    status = written(encoder, text_raw(&encoder->text,
                                       GUEST_CALL(JS_ToBool, engine_context, primitive) ? "true" : "false"));
  } else {
    status = encode_primitive(encoder, primitive);
  }
  guest_free(primitive);
  return status;
}

/* Begins an object or array: takes the value over. */
static int open_container(struct encoder *encoder, guest_value value, bool is_array) {
  for (uint32_t i = 0; i < encoder->depth; i++) {
    if (encoder->levels[i].container == value) {
      int status = fail(encoder, ENCODE_REFUSED, "refers back to an object that contains it");
      guest_free(value);
      return status;
    }
  }
  if (encoder->depth == ENCODE_NESTING_MAXIMUM) {
    int status = fail(encoder, ENCODE_REFUSED, "is nested more than 511 levels deep");
    guest_free(value);
    return status;
  }
  struct encode_level level = {.container = value, .is_array = is_array};
  claim_written(encoder);
  if (is_array) {
    if ((s32)GUEST_CALL(JS_GetLength, engine_context, value, guest_scratch) < 0) {
      int status = refuse_unreadable(encoder, "has a length that cannot be read");
      guest_free(value);
      return status;
    }
    level.count = guest_load_u64(guest_scratch);
  } else {
    if ((s32)GUEST_CALL(JS_GetOwnPropertyNames, engine_context, guest_scratch, guest_scratch + 4, value,
                        NAMES_STRING_ENUMERABLE) < 0) {
      int status = refuse_unreadable(encoder, "has properties that cannot be listed");
      guest_free(value);
      return status;
    }
    level.names = guest_load_u32(guest_scratch);
    level.count = guest_load_u32(guest_scratch + 4);
  }
  encoder->levels[encoder->depth++] = level;
  return text_raw(&encoder->text, is_array ? "[" : "{") ? VALUE_OPENED : fail(encoder, ENCODE_TOO_LARGE, "");
}

static void close_level(struct encoder *encoder) {
  struct encode_level *level = &encoder->levels[--encoder->depth];
  if (!level->is_array) GUEST_RUN(JS_FreePropertyEnum, engine_context, level->names, (u32)level->count);
  guest_free(level->container);
}

/* Takes the value over. `json_applied`: it came out of a toJSON, which is asked once at most. */
static int encode_any(struct encoder *encoder, guest_value value, bool json_applied) {
  enum guest_tag tag = guest_tag_of(value);
  bool is_big_int = tag == GUEST_TAG_BIG_INT || tag == GUEST_TAG_SHORT_BIG_INT;
  enum guest_kind kind = GUEST_KIND_OTHER;
  int status = VALUE_FAILED;
  claim_written(encoder);
  if (!is_big_int && tag != GUEST_TAG_OBJECT) {
    status = encode_primitive(encoder, value);
    guest_free(value);
    return status;
  }
  if (!is_big_int) {
    kind = guest_kind_of(value);
    const char *reason = reason_to_refuse(kind);
    if (kind == GUEST_KIND_DATE && is_invalid_date(value)) reason = "is an invalid Date";
    if (reason || kind == GUEST_KIND_ERROR || kind == GUEST_KIND_DOM_EXCEPTION) {
      status = reason ? fail(encoder, ENCODE_REFUSED, reason) : write_error(encoder, value);
      guest_free(value);
      return status;
    }
  }
  if (!json_applied) {
    if (apply_to_json(encoder, &value)) return encode_any(encoder, value, true);
  } else if (is_big_int) {
    status =
        fail(encoder, ENCODE_REFUSED, "is a BigInt, which JSON does not have; convert it with String(value)");
  } else if (kind == GUEST_KIND_BOXED_NUMBER || kind == GUEST_KIND_BOXED_STRING ||
             kind == GUEST_KIND_BOXED_BOOLEAN) {
    status = write_boxed(encoder, value, kind);
  } else {
    return open_container(encoder, value, kind == GUEST_KIND_ARRAY);
  }
  guest_free(value);
  return status;
}

/* The next element of an array. */
static int encode_element(struct encoder *encoder, struct encode_level *level) {
  if (level->wrote && !text_raw(&encoder->text, ",")) return fail(encoder, ENCODE_TOO_LARGE, "");
  level->wrote = true;
  claim_written(encoder);
  guest_value value = GUEST_CALL(JS_GetPropertyInt64, engine_context, level->container, level->index);
  if (guest_is_exception(value)) return refuse_unreadable(encoder, "has a getter that threw");
  int status = encode_any(encoder, value, false);
  return status == VALUE_ABSENT ? written(encoder, text_raw(&encoder->text, "null")) : status;
}

/* The next property of an object, unless it is undefined: that one is left out. */
static int encode_property(struct encoder *encoder, struct encode_level *level) {
  guest_atom name = encode_level_atom(level);
  claim_written(encoder);
  guest_value value = GUEST_CALL(JS_GetProperty, engine_context, level->container, name);
  if (guest_is_exception(value)) return refuse_unreadable(encoder, "has a getter that threw");
  if (guest_is_undefined(value)) return VALUE_ABSENT;
  uint8_t *before = encoder->text.at;
  int status = written(encoder, !level->wrote || text_raw(&encoder->text, ","));
  claim_written(encoder);
  if (status == VALUE_WRITTEN) status = write_guest_text(encoder, guest_text_of_atom(name));
  if (status == VALUE_WRITTEN) status = written(encoder, text_raw(&encoder->text, ":"));
  if (status != VALUE_WRITTEN) {
    guest_free(value);
    return status;
  }
  bool wrote = level->wrote;
  level->wrote = true;
  status = encode_any(encoder, value, false);
  if (status == VALUE_ABSENT) { /* a toJSON gave undefined */
    encoder->text.at = before;
    level->wrote = wrote;
  }
  return status;
}

/* Works off all levels that are open, without recursion. */
static int encode_levels(struct encoder *encoder) {
  while (encoder->depth > 0) {
    struct encode_level *level = &encoder->levels[encoder->depth - 1];
    if (level->index == level->count) {
      bool is_array = level->is_array;
      close_level(encoder);
      if (!text_raw(&encoder->text, is_array ? "]" : "}")) return fail(encoder, ENCODE_TOO_LARGE, "");
      if (encoder->depth > 0) encoder->levels[encoder->depth - 1].index++;
      continue;
    }
    int status = level->is_array ? encode_element(encoder, level) : encode_property(encoder, level);
    if (status == VALUE_FAILED) return status;
    if (status != VALUE_OPENED) level->index++;
  }
  return VALUE_WRITTEN;
}

void encode_value(guest_value value, size_t maximum, struct encoding *result) {
  struct encoder encoder; /* not cleared: only the levels in use are ever read */
  size_t room = buffer_bytes - buffer_used;
  encoder.text = text_in(buffer + buffer_used, maximum < room ? maximum : room);
  encoder.result = result;
  encoder.depth = 0;
  result->path[0] = 0;
  size_t begun_at = buffer_used;
  int status = encode_any(&encoder, GUEST_CALL(JS_DupValue, engine_context, value), false);
  if (status == VALUE_OPENED) status = encode_levels(&encoder);
  while (encoder.depth > 0) close_level(&encoder); /* after a failure */
  if (status == VALUE_ABSENT) result->status = ENCODE_NOTHING;
  if (status == VALUE_WRITTEN) result->status = ENCODE_DONE;
  result->text = encoder.text.start;
  result->length = status == VALUE_WRITTEN ? text_length(&encoder.text) : 0;
  buffer_used = begun_at + result->length;
}

void encode_empty_object(struct encoding *result) {
  struct text text = text_in(buffer + buffer_used, buffer_bytes - buffer_used);
  result->status = text_raw(&text, "{}") ? ENCODE_DONE : ENCODE_TOO_LARGE;
  result->text = text.start;
  result->length = text_length(&text);
  buffer_used += result->length;
}

void encode_release(struct encoding *encoding) { buffer_used = (size_t)(encoding->text - buffer); }
