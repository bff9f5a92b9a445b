/*
 * Values of the guest as JSON text, for results and for arguments of tools.
 *
 * JSON as JSON.stringify has it, except that what JSON has no word for is refused, naming its path, instead
 * of being dropped or bent: NaN, infinities, BigInt, symbols, functions, promises, Map, Set, binary data,
 * regular expressions, invalid dates, cycles, getters that throw. An Error becomes {name, message}. `toJSON` is called once
 * at most. Done through the engine's own interface: nothing that a program has patched takes part, except
 * what JSON itself calls.
 */
#ifndef WARDENPOOL_ENCODE_H
#define WARDENPOOL_ENCODE_H

#include "engine.h"

/* Levels of objects and arrays: a frame is one level itself, and may have 512. */
#define ENCODE_NESTING_MAXIMUM 511

#define ENCODE_PATH_BYTES 256

enum encode_status {
  ENCODE_DONE,
  ENCODE_NOTHING,   /* the value is undefined, or its toJSON said so: there is no text */
  ENCODE_REFUSED,   /* `path` and `reason` say what and why */
  ENCODE_TOO_LARGE, /* more than the maximum */
  ENCODE_THREW,     /* a toJSON threw: the engine has the exception pending */
};

struct encoding {
  enum encode_status status;
  const uint8_t *text; /* until encode_release() */
  size_t length;
  const char *reason;  /* continues "<path> " */
  char path[ENCODE_PATH_BYTES];
};

/* Maps the buffer for texts of at most `max_bytes`. 0, or -1. */
int encode_prepare(size_t max_bytes);

/* Encodes a value, which stays the caller's, into at most `maximum` bytes. May run code of the program, which
   may come back here: encodings nest like calls. */
void encode_value(guest_value value, size_t maximum, struct encoding *result);

/* The encoding of {}, which likewise must be released. */
void encode_empty_object(struct encoding *result);

/* Gives back the text of the encoding that was made last. */
void encode_release(struct encoding *encoding);

#endif
