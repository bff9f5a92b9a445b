/*
 * Builds JSON text in a buffer of fixed size. What does not fit is not written at all, and said so: nothing
 * here ever leaves half an escape or half a character behind. Knows nothing of frames or of the engine.
 */
#ifndef WARDENPOOL_TEXT_H
#define WARDENPOOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
  uint8_t *start, *at, *end;
  bool overflowed; /* something did not fit, ever */
};

static inline struct text text_in(void *buffer, size_t size) {
  uint8_t *start = buffer;
  return (struct text){start, start, start + size, false};
}

static inline size_t text_length(const struct text *text) { return (size_t)(text->at - text->start); }
static inline size_t text_room(const struct text *text) { return (size_t)(text->end - text->at); }

/* Appends bytes as they are. False, with nothing written, if they do not fit; likewise below. */
bool text_bytes(struct text *text, const void *bytes, size_t length);

/* Appends a C string as it is. */
bool text_raw(struct text *text, const char *string);

bool text_unsigned(struct text *text, uint64_t number);
bool text_signed(struct text *text, int64_t number);

/* Appends bytes as a JSON string, quotes included. They should be UTF-8, in which lone surrogates may stand
   as three bytes each; those are escaped, and what is no UTF-8 at all becomes U+FFFD. */
bool text_json_string(struct text *text, const void *bytes, size_t length);

/* The same, but cuts the string between two characters so that it fits. Returns how many bytes of the input
   went in; nothing at all, and 0, if not even the quotes fit. */
size_t text_json_string_cut(struct text *text, const void *bytes, size_t length);

#endif
