/* Positions in the submitted text; see source_position.h. */
#include "source_position.h"

#include "json_string.h"

/* A walk through the decoded text, character by character. */
struct walk {
  struct json_string_reader reader;
  int byte;                        /* the lead byte of the next character; -1: the end */
  uint32_t length, units;          /* of that character: bytes, UTF-16 code units */
  bool ends_line, is_separator;    /* whether it ends a line; whether it is U+2028 or U+2029 */
  struct source_position position; /* of the next character */
};

static struct walk walk_from_start(struct json_span text) {
  struct walk walk = {.reader = json_string_open(text), .position = {1, 1}};
  walk.byte = json_string_next(&walk.reader);
  return walk;
}

static void pass_character(struct walk *walk) {
  uint32_t code = (uint32_t)walk->byte;
  int lead = walk->byte;
  walk->length = 1;
  int next = json_string_next(&walk->reader);
  for (; next >= 0 && (next & 0xC0) == 0x80; next = json_string_next(&walk->reader)) {
    code = code << 8 | (uint32_t)next;
    walk->length++;
  }
  walk->units = lead >= 0xF0 ? 2 : 1;
  walk->is_separator = code == 0xE280A8 || code == 0xE280A9;
  walk->ends_line = lead == '\n' || (lead == '\r' && next != '\n') || walk->is_separator;
  walk->byte = next;
  walk->position.column += walk->units;
  if (walk->ends_line) walk->position = (struct source_position){walk->position.line + 1, 1};
}

static bool find(struct json_span text, uint32_t line, uint32_t column, bool separators_count,
                 struct source_position *position) {
  struct walk walk = walk_from_start(text);
  uint32_t engine_line = 1, engine_column = 1;
  while (engine_line < line || engine_column < column) {
    if (engine_line > line) return true; /* the column lies behind the end of its line */
    *position = walk.position;
    if (walk.byte < 0) return engine_line == line;
    pass_character(&walk);
    engine_column += walk.length;
    if (walk.ends_line && (separators_count || !walk.is_separator)) {
      engine_line++;
      engine_column = 1;
    }
  }
  if (engine_line > line) return true;
  *position = walk.position;
  return true;
}

bool source_position_find(struct json_span text, uint32_t line, uint32_t column, struct source_position *position) {
  return find(text, line, column, false, position) || find(text, line, column, true, position);
}

struct source_position source_position_behind(struct json_span text, uint64_t units) {
  struct walk walk = walk_from_start(text);
  while (walk.byte >= 0 && units > 0) {
    pass_character(&walk);
    units -= walk.units < units ? walk.units : units;
  }
  return walk.position;
}
