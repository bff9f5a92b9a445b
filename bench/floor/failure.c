/*
 * How a process of the floor gives up; see failure.h. The launcher's own code gives up by launcher_fail(), which is
 * here too.
 */
#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "launcher/launcher.h"

/* Behind the filter, too: only write(), and nothing that allocates. */
void fail(const char *format, ...) {
  char message[FAILURE_BYTES] = "floor: ";
  size_t start = strlen(message), most = sizeof message - 1; /* one byte less, for the newline */
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(message + start, most - start, format, arguments);
  va_end(arguments);
  size_t end = length < 0 ? start : (size_t)length < most - start ? start + (size_t)length : most - 1;
  message[end++] = '\n';
  (void)!write(STDERR_FILENO, message, end);
  _exit(1);
}

void fail_with_errno(const char *what) { fail("%s: %s", what, strerror(errno)); }

const char *step_text(unsigned step) {
  switch (step) {
#define STEP_TEXT(number, name, text) \
  case number:                        \
    return text;
    LAUNCHER_STEPS(STEP_TEXT)
    SANDBOX_STEPS(STEP_TEXT)
#undef STEP_TEXT
    default:
      return "take a step that is not known here";
  }
}

void launcher_fail(enum confinement_step step, int error, const char *detail) {
  fail("cannot %s: %s; `wardenpool doctor` says what this machine lacks", step_text(step),
       detail ? detail : strerror(error));
}
