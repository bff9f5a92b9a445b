/* How a run ended, in native memory: what the terminal frame is made of. Knows no engine and no frames. */
#ifndef WARDENPOOL_OUTCOME_H
#define WARDENPOOL_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTCOME_MESSAGE_BYTES 4096
#define OUTCOME_NAME_BYTES 256
#define OUTCOME_OWN_CODE_BYTES 256
#define OUTCOME_STACK_BYTES 8192
#define OUTCOME_PATH_BYTES 256
#define OUTCOME_WARNING_BYTES 512
#define OUTCOME_WARNINGS_MAXIMUM 8

/* Text that was cut to its room, between two characters. */
struct outcome_text {
  char *bytes;
  size_t room, length;
};

struct outcome {
  bool ok;
  const uint8_t *result; /* if ok; NULL: undefined */
  size_t result_length;
  const char *kind; /* if not ok; likewise below */
  const char *code; /* or NULL */
  bool has_call_limit;
  uint64_t call_limit;
  struct outcome_text message, name, own_code, stack, path; /* own_code: of the error that was thrown */
  uint32_t line, column; /* in the submitted text, from 1; 0: not known */
  /* Also if ok: what the program should be told beside it. */
  struct outcome_text warnings[OUTCOME_WARNINGS_MAXIMUM];
  uint32_t warning_count;
};

/* The outcome of this process's run. */
extern struct outcome outcome;

/* Sets a text to UTF-8 bytes (lone surrogates as three bytes), as far as there is room; appends to it. */
void outcome_set(struct outcome_text *text, const void *bytes, size_t length);
void outcome_append(struct outcome_text *text, const void *bytes, size_t length);

/* Makes it a failure of that kind, with a message made like printf's, and forgets everything else but warnings. */
__attribute__((format(printf, 2, 3))) void outcome_fail(const char *kind, const char *format, ...);

#endif
