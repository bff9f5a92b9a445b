/* Sentences for people, on stderr; see diagnostics.h. */
#include "diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void diagnose(const char *format, ...) {
  char line[512] = "code-runner: ";
  size_t used = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  used += (size_t)length < sizeof line - used - 1 ? (size_t)length : sizeof line - used - 2;
  line[used++] = '\n';
  ssize_t ignored = write(STDERR_FILENO, line, used);
  (void)ignored; /* diagnostics are best effort */
}
