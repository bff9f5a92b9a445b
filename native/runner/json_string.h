/* Reads strings and numbers out of text that json_scan() found good. Must not be given any other text. */
#ifndef WARDENPOOL_JSON_STRING_H
#define WARDENPOOL_JSON_STRING_H

#include "json_scan.h"

/* A string that is being decoded; start with json_string_open(). */
struct json_string_reader {
  const uint8_t *at, *end;
  uint8_t bytes[4];
  uint8_t ready, given;
};

struct json_string_reader json_string_open(struct json_span string);

/* The next byte of the decoded string, or -1 at its end. A lone surrogate comes as the three bytes of its
 * code point. */
int json_string_next(struct json_string_reader *reader);

/* Decodes all of it to `out`, which has room for string.length bytes. How many were written. */
size_t json_string_decode(struct json_span string, uint8_t *out);

/* Orders two strings by their decoded bytes, like memcmp. */
int json_string_compare(struct json_span one, struct json_span other);

/* Whether it is a string, and which. */
bool json_is_string(struct json_span value);
bool json_string_is(struct json_span value, const char *text);

/* Whether it is a whole number of at least `minimum`. What is too large for `result` gives the largest
 * number. */
bool json_is_integer(struct json_span value, uint64_t minimum, uint64_t *result);

bool json_is_object(struct json_span value);
bool json_is_array(struct json_span value);

/* Walks through a good object or array; start with json_walk(). */
struct json_walk {
  const uint8_t *at, *end;
};

struct json_walk json_walk(struct json_span container);
bool json_next_element(struct json_walk *walk, struct json_span *value);
bool json_next_member(struct json_walk *walk, struct json_span *key, struct json_span *value);

/* The member of a good object, or a span without text. */
struct json_span json_member_of(struct json_span object, const char *key);

#endif
