/*
 * Positions in the submitted text. A line ends at LF, CR, CRLF, U+2028 or U+2029, as in ECMAScript, wherever they stand; a
 * column counts UTF-16 code units, as JavaScript and most editors do. Both begin with 1. Knows nothing of errors.
 */
#ifndef WARDENPOOL_SOURCE_POSITION_H
#define WARDENPOOL_SOURCE_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "json_scan.h"

struct source_position {
  uint32_t line, column;
};

/*
 * The position of what the engine says is in line `line`, at byte `column` of it; both begin with 1. `text`: a string of
 * JSON. False if there is no such place: a program can write stacks of its own.
 *
 * The engine was given the text with each CR made an LF. It counts U+2028 and U+2029 as the end of a line where they
 * separate tokens, and not in strings, templates and comments. Where they are met in programs is in strings: so they count
 * here, for it, only where the line would not exist otherwise.
 */
bool source_position_find(struct json_span text, uint32_t line, uint32_t column, struct source_position *position);

/* The position behind so many UTF-16 code units. */
struct source_position source_position_behind(struct json_span text, uint64_t units);

#endif
