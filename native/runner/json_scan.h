/*
 * A strict check of one JSON object, and where its members are.
 *
 * Accepts RFC 8259 and nothing beside it; refuses what code-bridge-v1 refuses: bytes that are no UTF-8, NUL,
 * a key that an object has twice, nesting deeper than JSON_NESTING_MAXIMUM, anything but an object at the
 * top. Time is n log n in the worst case, whatever the text is. Knows nothing of frames.
 */
#ifndef WARDENPOOL_JSON_SCAN_H
#define WARDENPOOL_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Levels of objects and arrays, the outermost included. */
#define JSON_NESTING_MAXIMUM 512

/* The raw text of one value: a string has its quotes. `at` is NULL where there is no such value. */
struct json_span {
  const uint8_t *at;
  size_t length;
};

/* A member of the outermost object that the caller wants; `value` is the answer. */
struct json_member {
  const char *key;
  struct json_span value;
};

/* A key that was met, for finding duplicates. */
struct json_key {
  uint32_t hash;
  uint32_t offset; /* of its opening quote */
  uint32_t length; /* quotes included */
};

/* How many keys a text of so many bytes can have at once: each needs `"":0,`, or `"":{` where it opens a
 * level. */
#define JSON_KEYS_FOR(bytes) ((bytes) / 5 + JSON_NESTING_MAXIMUM + 1)

/*
 * Checks `text` (shorter than 2 GiB). `keys` is working memory for JSON_KEYS_FOR(length) keys, used from its
 * start. Fills in the values of `members`. NULL if the text is good, else a sentence part that says what is
 * wrong with it.
 */
const char *json_scan(const uint8_t *text, size_t length, struct json_key *keys, struct json_member *members,
                      size_t member_count);

/* Whether `text` is one number and nothing else. */
bool json_scan_is_number(const uint8_t *text, size_t length);

#endif
