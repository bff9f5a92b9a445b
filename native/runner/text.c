/* Builds JSON text in a buffer of fixed size; see text.h. */
#include "text.h"

#include <string.h>

#include "utf8.h"

static const char hex_digits[] = "0123456789abcdef";

bool text_bytes(struct text *text, const void *bytes, size_t length) {
  if (length > text_room(text)) {
    text->overflowed = true;
    return false;
  }
  if (length > 0) memcpy(text->at, bytes, length);
  text->at += length;
  return true;
}

bool text_raw(struct text *text, const char *string) { return text_bytes(text, string, strlen(string)); }

bool text_unsigned(struct text *text, uint64_t number) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  return text_bytes(text, digits + first, sizeof digits - first);
}

bool text_signed(struct text *text, int64_t number) {
  if (number >= 0) return text_unsigned(text, (uint64_t)number);
  if (text_room(text) < 21) { /* the longest there is; so the sign is never written alone */
    text->overflowed = true;
    return false;
  }
  *text->at++ = '-';
  return text_unsigned(text, 0 - (uint64_t)number);
}

/* How many bytes from `at` on can stand in a JSON string as they are. */
static size_t plain_run(const uint8_t *at, const uint8_t *end) {
  const uint8_t *start = at;
  while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\') at++;
  return (size_t)(at - start);
}

static size_t unicode_escape(uint32_t unit, uint8_t *out) {
  out[0] = '\\';
  out[1] = 'u';
  for (int i = 0; i < 4; i++) out[2 + i] = (uint8_t)hex_digits[unit >> (12 - 4 * i) & 0xF];
  return 6;
}

static bool is_surrogate(const uint8_t *at, const uint8_t *end) {
  return end - at >= 3 && at[0] == 0xED && at[1] >= 0xA0 && at[1] <= 0xBF && (at[2] & 0xC0) == 0x80;
}

/* One character that may need an escape: how many bytes of input it has, and what stands for it. */
static size_t escape(const uint8_t *at, const uint8_t *end, uint8_t out[6], size_t *out_length) {
  static const char short_escapes[] = "\bb\ff\nn\rr\tt\"\"\\\\";
  uint8_t byte = *at;
  if (byte >= 0x80) {
    size_t length = utf8_sequence_length(at, end);
    if (length > 0) {
      memcpy(out, at, length);
      *out_length = length;
      return length;
    }
    if (is_surrogate(at, end)) {
      *out_length = unicode_escape(0xD000u | (uint32_t)(at[1] & 0x3F) << 6 | (at[2] & 0x3F), out);
      return 3;
    }
    *out_length = unicode_escape(0xFFFD, out);
    return 1;
  }
  for (const char *pair = short_escapes; *pair; pair += 2) {
    if (byte == (uint8_t)pair[0]) {
      out[0] = '\\';
      out[1] = (uint8_t)pair[1];
      *out_length = 2;
      return 1;
    }
  }
  *out_length = unicode_escape(byte, out);
  return 1;
}

size_t text_json_string_cut(struct text *text, const void *bytes, size_t length) {
  if (text_room(text) < 2) {
    text->overflowed = true;
    return 0;
  }
  const uint8_t *start = bytes;
  const uint8_t *at = start;
  const uint8_t *end = start + length;
  uint8_t *limit = text->end - 1; /* the closing quote always fits */
  *text->at++ = '"';
  while (at < end) {
    size_t run = plain_run(at, end);
    size_t room = (size_t)(limit - text->at);
    if (run > 0) {
      size_t taken = run < room ? run : room;
      memcpy(text->at, at, taken);
      text->at += taken;
      at += taken;
      if (taken < run) break;
      continue;
    }
    uint8_t escaped[6];
    size_t escaped_length;
    size_t consumed = escape(at, end, escaped, &escaped_length);
    if (escaped_length > room) break;
    memcpy(text->at, escaped, escaped_length);
    text->at += escaped_length;
    at += consumed;
  }
  *text->at++ = '"';
  if (at < end) text->overflowed = true;
  return (size_t)(at - start);
}

bool text_json_string(struct text *text, const void *bytes, size_t length) {
  uint8_t *before = text->at;
  if (text_json_string_cut(text, bytes, length) == length && !(length == 0 && text->at == before))
    return true;
  text->at = before;
  text->overflowed = true;
  return false;
}
