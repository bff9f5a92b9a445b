/* UTF-8, as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF. Knows nothing else.
 */
#ifndef WARDENPOOL_UTF8_H
#define WARDENPOOL_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length of the sequence at `at` (which is before `end`), 1 to 4; 0 if there is none. */
static inline size_t utf8_sequence_length(const uint8_t *at, const uint8_t *end) {
  uint8_t lead = at[0];
  size_t left = (size_t)(end - at);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (left < 2 || (at[1] & 0xC0) != 0x80) return 0;
  if (lead < 0xE0) return 2;
  if (left < 3 || (at[2] & 0xC0) != 0x80) return 0;
  if (lead < 0xF0) {
    if (lead == 0xE0 && at[1] < 0xA0) return 0; /* overlong */
    if (lead == 0xED && at[1] > 0x9F) return 0; /* a surrogate */
    return 3;
  }
  if (left < 4 || (at[3] & 0xC0) != 0x80) return 0;
  if (lead == 0xF0 && at[1] < 0x90) return 0; /* overlong */
  if (lead == 0xF4 && at[1] > 0x8F) return 0; /* above U+10FFFF */
  return 4;
}

/* Writes `code_point` (surrogates included: JSON may escape a lone one) at `out`, which has room for 4. Its
 * length. */
static inline size_t utf8_encode(uint32_t code_point, uint8_t *out) {
  if (code_point < 0x80) {
    out[0] = (uint8_t)code_point;
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = (uint8_t)(0xC0 | code_point >> 6);
    out[1] = (uint8_t)(0x80 | (code_point & 0x3F));
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = (uint8_t)(0xE0 | code_point >> 12);
    out[1] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
    out[2] = (uint8_t)(0x80 | (code_point & 0x3F));
    return 3;
  }
  out[0] = (uint8_t)(0xF0 | code_point >> 18);
  out[1] = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
  out[2] = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
  out[3] = (uint8_t)(0x80 | (code_point & 0x3F));
  return 4;
}

#endif
