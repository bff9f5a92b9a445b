/* The command line of code-runner; see command_line.h. */
#include "command_line.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diagnostics.h"
#include "run_limits.h"

#define EXIT_USAGE 2

static const char help[] =
    "Usage: code-runner [OPTION VALUE]...\n"
    "\n"
    "Runs one program, as a peer of code-bridge-v1 on a connected stream socket. It confines nothing: start "
    "it inside a\n"
    "sandbox.\n"
    "\n"
    "  --fd N                 the descriptor of the socket (3)\n"
    "  --memory-bytes N       ceiling of the program's heap (67108864)\n"
    "  --stack-bytes N        ceiling of the program's stack; at most 921600 of it are used (2097152)\n"
    "  --timeout-ms N         ceiling of the wall time of a run (5000)\n"
    "  --max-calls N          ceiling of tool calls (64)\n"
    "  --max-frame-bytes N    longest frame, in either direction (1048576)\n"
    "  --max-result-bytes N   ceiling of the result's JSON text (524288)\n"
    "  --help                 show this, and exit\n"
    "  --version              show the version, and exit\n"
    "\n"
    "Exit status: 0 a terminal frame was sent; 1 the execute frame was refused, or no frame could be sent; 2 "
    "bad command\n"
    "line, or the first frame could not be read or parsed.\n";

static int show(const char *text) {
  size_t length = strlen(text);
  return write(STDOUT_FILENO, text, length) == (ssize_t)length ? 0 : 1;
}

/* Decimal digits only, at least 1. */
static bool read_number(const char *option, const char *text, uint64_t maximum, uint64_t *number) {
  if (*text == 0 || strspn(text, "0123456789") != strlen(text)) {
    diagnose("%s needs a decimal number, not '%s'", option, text);
    return false;
  }
  errno = 0;
  unsigned long long value = strtoull(text, NULL, 10);
  if (errno == ERANGE || value > maximum || value < 1) {
    diagnose("%s %s is out-of-range: it must be from 1 to %llu", option, text, (unsigned long long)maximum);
    return false;
  }
  *number = value;
  return true;
}

int command_line_read(struct command_line *command, int argument_count, char **arguments) {
  struct runner_ceilings *ceilings = &command->ceilings;
  uint64_t descriptor = 3;
  *ceilings = (struct runner_ceilings){
      .memory_bytes = 67108864,
      .stack_bytes = 2097152,
      .timeout_ms = 5000,
      .cpu_ms = 0,
      .max_calls = 64,
      .max_concurrent_calls = 16,
      .max_frame_bytes = 1048576,
      .max_result_bytes = 524288,
      .max_log_bytes = 65536,
  };
  const struct {
    const char *option;
    uint64_t maximum;
    uint64_t *value;
  } options[] = {
      {"--fd", INT_MAX, &descriptor},
      {"--memory-bytes", RUN_LIMITS_HEAP_MAXIMUM, &ceilings->memory_bytes},
      {"--stack-bytes", RUN_LIMITS_COUNT_MAXIMUM, &ceilings->stack_bytes},
      {"--timeout-ms", RUN_LIMITS_COUNT_MAXIMUM, &ceilings->timeout_ms},
      {"--max-calls", RUN_LIMITS_COUNT_MAXIMUM, &ceilings->max_calls},
      {"--max-frame-bytes", RUN_LIMITS_FRAME_MAXIMUM, &ceilings->max_frame_bytes},
      {"--max-result-bytes", RUN_LIMITS_FRAME_MAXIMUM, &ceilings->max_result_bytes},
  };
  for (int i = 1; i < argument_count; i++) {
    if (strcmp(arguments[i], "--help") == 0) return show(help);
    if (strcmp(arguments[i], "--version") == 0) return show("code-runner " RUNNER_VERSION "\n");
    size_t match = 0;
    while (match < sizeof options / sizeof *options && strcmp(arguments[i], options[match].option) != 0)
      match++;
    if (match == sizeof options / sizeof *options) {
      diagnose("unknown option '%s'; see --help", arguments[i]);
      return EXIT_USAGE;
    }
    if (i + 1 == argument_count) {
      diagnose("%s needs a value", arguments[i]);
      return EXIT_USAGE;
    }
    if (!read_number(arguments[i], arguments[i + 1], options[match].maximum, options[match].value))
      return EXIT_USAGE;
    i++;
  }
  command->descriptor = (int)descriptor;
  return -1;
}
