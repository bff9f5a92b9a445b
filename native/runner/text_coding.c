/* UTF-8 for the guest's TextEncoder and TextDecoder; see text_coding.h. */
#include "text_coding.h"

#include "guest_values.h"
#include "utf8.h"

static const uint8_t replacement[] = {0xEF, 0xBF, 0xBD}; /* U+FFFD */

guest_value text_coding_encode_call(uint32_t argument_count, guest_address arguments) {
  if (argument_count < 1) return GUEST_UNDEFINED;
  struct guest_text text = guest_text_of(guest_argument(arguments, 0));
  if (!text.address) return GUEST_EXCEPTION;
  guest_value array = GUEST_CALL(JS_NewUint8ArrayCopy, engine_context, text.address, text.length);
  guest_text_free(text);
  if (guest_is_exception(array)) return array;
  struct guest_span bytes = guest_uint8_array(array);
  uint8_t *at = bytes.length > 0 ? guest_bytes(bytes.address, bytes.length) : NULL;
  /* The engine writes lone surrogates as three bytes: as long as what stands for them. */
  for (uint32_t i = 0; i + 2 < bytes.length; i++) {
    if (at[i] == 0xED && at[i + 1] >= 0xA0) memcpy(at + i, replacement, sizeof replacement);
  }
  return array;
}

/* The length of what is no character at `at`, and may be replaced as one. */
static size_t malformed_length(const uint8_t *at, const uint8_t *end) {
  uint8_t lead = at[0];
  if (lead < 0xC2 || lead > 0xF4 || at + 1 == end) return 1;
  uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (at[1] < low || at[1] > high) return 1;
  size_t length = 2;
  while (at + length < end && (at[length] & 0xC0) == 0x80) length++;
  return length; /* shorter than the lead announces: it would be a character otherwise */
}

/*
 * Decodes; writes to `out`, which has `room`, unless that is NULL. The length of the text; `malformed` says whether anything
 * was replaced. In an engine that was taken over, `out` may lie where the bytes do, and the text get longer on the way.
 */
static size_t decode(const uint8_t *at, size_t length, uint8_t *out, size_t room, bool *malformed) {
  const uint8_t *end = at + length;
  size_t written = 0;
  while (at < end) {
    size_t sequence = utf8_sequence_length(at, end);
    const uint8_t *source = sequence ? at : replacement;
    size_t count = sequence ? sequence : sizeof replacement;
    if (!sequence) *malformed = true;
    if (out && count > room - written) boundary_trap("it changed a text while that was decoded");
    if (out) memmove(out + written, source, count);
    written += count;
    at += sequence ? sequence : malformed_length(at, end);
  }
  return written;
}

guest_value text_coding_decode_call(uint32_t argument_count, guest_address arguments) {
  if (argument_count < 2) return GUEST_UNDEFINED;
  bool fatal = guest_argument(arguments, 1) == GUEST_VALUE(GUEST_TAG_BOOL, 1);
  struct guest_span bytes = guest_uint8_array(guest_argument(arguments, 0));
  if (bytes.length == 0) return guest_string("", 0);
  bool malformed = false;
  size_t length = decode(guest_bytes(bytes.address, bytes.length), bytes.length, NULL, 0, &malformed);
  if (!malformed) return GUEST_CALL(JS_NewStringLen, engine_context, bytes.address, bytes.length);
  if (fatal) return GUEST_UNDEFINED;
  guest_address copy = length < UINT32_MAX ? GUEST_CALL(wasm_malloc, (u32)length) : 0;
  if (!copy) return GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
  (void)decode(guest_bytes(bytes.address, bytes.length), bytes.length, guest_bytes(copy, length), length,
               &malformed);
  guest_value string = GUEST_CALL(JS_NewStringLen, engine_context, copy, (u32)length);
  GUEST_RUN(wasm_free, copy);
  return string;
}
