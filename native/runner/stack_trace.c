/* Stacks as the engine writes them; see stack_trace.h. */
#include "stack_trace.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bridge.h"
#include "describe.h"
#include "outcome.h"
#include "source_position.h"

/* The engine writes ten frames. A program may write more, of its own, and each is looked for in its text. */
#define FRAMES_MAXIMUM 32

static bool position_is_of_constructor; /* and gives way to the next one */

/* Decimal digits; 0 if there are none or too many. */
static uint32_t read_number(const char **at, const char *end) {
  uint32_t number = 0;
  const char *start = *at;
  while (*at < end && **at >= '0' && **at <= '9' && *at - start < 9)
    number = number * 10 + (uint32_t)(*(*at)++ - '0');
  return number;
}

/* The frame of a constructor of the error itself, as far as its name tells: the reader wants to see who
 * called it. */
static bool is_constructor_frame(const char *line, size_t length) {
  static const char at[] = "    at ";
  size_t start = sizeof at - 1;
  return length > start + outcome.name.length + 1 && outcome.name.length > 0 &&
         memcmp(line + start, outcome.name.bytes, outcome.name.length) == 0 &&
         memcmp(line + start + outcome.name.length, " (", 2) == 0;
}

static void append_place(struct source_position position) {
  char place[64];
  int length = snprintf(place, sizeof place, PROGRAM_FILE ":%u:%u", position.line, position.column);
  outcome_append(&outcome.stack, place, (size_t)length);
}

/* One frame: "    at name (program.js:3:5)", or "    at program.js:3:5" where there is no name. */
static void read_frame(const char *line, size_t length) {
  static const char file[] = PROGRAM_FILE ":";
  static const char wrapper[] = "    at " PROGRAM_FUNCTION " (";
  const char *end = line + length;
  const char *place = memmem(line, length, file, sizeof file - 1);
  if (!place || place == line || (place[-1] != '(' && place[-1] != ' ')) return;
  const char *at = place + sizeof file - 1;
  uint32_t line_number = read_number(&at, end);
  uint32_t column = 0;
  if (at < end && *at == ':') {
    at++;
    column = read_number(&at, end);
  }
  struct source_position position;
  if (line_number == 0 || !source_position_find(bridge_execution.code, line_number, column, &position)) return;
  if (outcome.line == 0 || position_is_of_constructor) {
    outcome.line = position.line;
    outcome.column = position.column;
    position_is_of_constructor = is_constructor_frame(line, length);
  }
  if (outcome.stack.length > 0) outcome_append(&outcome.stack, "\n", 1);
  if (length > sizeof wrapper - 1 && memcmp(line, wrapper, sizeof wrapper - 1) == 0) {
    outcome_append(&outcome.stack, "    at ", 7);
    append_place(position);
  } else {
    outcome_append(&outcome.stack, line, (size_t)(place - line));
    append_place(position);
    outcome_append(&outcome.stack, at, (size_t)(end - at));
  }
}

void stack_trace_read(const char *stack, size_t length) {
  const char *end = stack + length;
  for (int frames = 0; stack < end && frames < FRAMES_MAXIMUM; frames++) {
    const char *newline = memchr(stack, '\n', (size_t)(end - stack));
    size_t line_length = (size_t)((newline ? newline : end) - stack);
    read_frame(stack, line_length);
    stack += line_length + 1;
  }
}
