/* The command line of code-runner. */
#ifndef WARDENPOOL_COMMAND_LINE_H
#define WARDENPOOL_COMMAND_LINE_H

#include "runner.h"

struct command_line {
  int descriptor;
  struct runner_ceilings ceilings;
};

/* Reads the arguments; what is not given has its default. -1 if the run may go on, else what to exit with. */
int command_line_read(struct command_line *command, int argument_count, char **arguments);

#endif
