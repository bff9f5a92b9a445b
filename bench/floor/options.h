/* The command line of the floor. */
#ifndef WARDENPOOL_FLOOR_OPTIONS_H
#define WARDENPOOL_FLOOR_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define TOOLS_MAXIMUM 16
#define PROCESSES_MAXIMUM 64
#define IN_FLIGHT_MAXIMUM 1024

struct options {
  unsigned in_flight; /* executions at once, in all processes together */
  unsigned processes; /* never more than in_flight */
  unsigned long count;
  const char *program;
  const char *tools[TOOLS_MAXIMUM];
  unsigned tool_count;
  bool strict;
  bool warm;
  bool show_frame;
};

/* Says what is wrong and exits with 2, if anything is. */
struct options options_parse(int argc, char **argv);

#endif
