/* How a run ended; see outcome.h. */
#include "outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char message[OUTCOME_MESSAGE_BYTES], name[OUTCOME_NAME_BYTES], own_code[OUTCOME_OWN_CODE_BYTES],
    stack[OUTCOME_STACK_BYTES],
    path[OUTCOME_PATH_BYTES];

static char warnings[OUTCOME_WARNINGS_MAXIMUM][OUTCOME_WARNING_BYTES];

#define WARNING(index) {warnings[index], sizeof warnings[index], 0}

struct outcome outcome = {
    .message = {message, sizeof message, 0},
    .name = {name, sizeof name, 0},
    .own_code = {own_code, sizeof own_code, 0},
    .stack = {stack, sizeof stack, 0},
    .path = {path, sizeof path, 0},
    .warnings = {WARNING(0), WARNING(1), WARNING(2), WARNING(3), WARNING(4), WARNING(5), WARNING(6), WARNING(7)},
};

void outcome_append(struct outcome_text *text, const void *bytes, size_t length) {
  size_t room = text->room - text->length;
  const uint8_t *source = bytes;
  if (length > room) {
    length = room;
    while (length > 0 && (source[length] & 0xC0) == 0x80) length--; /* not in the middle of a character */
    text->room = text->length + length; /* and nothing after what was cut */
  }
  if (length > 0) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
}

void outcome_set(struct outcome_text *text, const void *bytes, size_t length) {
  text->length = 0;
  outcome_append(text, bytes, length);
}

void outcome_fail(const char *kind, const char *format, ...) {
  outcome.ok = false;
  outcome.kind = kind;
  outcome.code = NULL;
  outcome.has_call_limit = false;
  outcome.name.length = outcome.own_code.length = outcome.stack.length = outcome.path.length = 0;
  outcome.line = outcome.column = 0;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  outcome.message.length = length < 0                        ? 0
                           : (size_t)length < sizeof message ? (size_t)length
                                                             : sizeof message - 1;
}
