/* The output of a runner, checked against what code-bridge-v1 promises. Knows nothing of what was sent to it. */
#ifndef WARDENPOOL_RUNNER_CONVERSATION_H
#define WARDENPOOL_RUNNER_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runner_end {
  const uint8_t *output; /* all that it sent, of which nothing was lost if `heard_out` */
  size_t output_length;
  const char *diagnosis; /* its stderr, ended by a NUL */
  int exit_status;
  bool heard_out; /* the host has read to the end */
};

/* What the runner has promised and not kept, as the promise; NULL if every frame is well-formed and may stand where it stands,
 * and the exit status says what happened. */
const char *runner_conversation_broken(const struct runner_end *end, size_t max_frame_bytes);

#endif
