/* The command line of the floor; see options.h. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT_MAXIMUM 10000000ul

static const char usage[] =
    "floor --in-flight N --count N --program TEXT [--tool NAME]... [--processes N] [--strict] [--warm] <result\n"
    "  Runs the program N times, each in a sandbox of its own, and prints one line of JSON: what that took.\n"
    "  Standard input is the JSON text of what the program returns; anything else is a failure.\n"
    "  --in-flight N   executions at once, divided among the processes\n"
    "  --tool NAME     a tool that the program may call: math.double or text.echo\n"
    "  --processes N   processes that clone sandboxes and speak with them; default: one for each CPU\n"
    "  --strict        one of every namespace for each sandbox\n"
    "  --warm          a sandbox is cloned before it is needed, and the time of an execution begins after that\n"
    "  --show-frame    only prints the execute frame\n";

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("floor: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n%s", usage);
  exit(2);
}

static unsigned long number(const char *option, const char *text, unsigned long most) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno || value < 1 || value > most)
    refuse("--%s takes a whole number from 1 to %lu, not '%s'", option, most, text);
  return value;
}

static unsigned available_cpus(void) {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) < 0) return 1; /* more CPUs than the set has room for: name a number */
  unsigned count = (unsigned)CPU_COUNT(&cpus);
  return count < PROCESSES_MAXIMUM ? count : PROCESSES_MAXIMUM;
}

struct options options_parse(int argc, char **argv) {
  static const struct option known[] = {
      {"in-flight", required_argument, NULL, 'i'}, {"count", required_argument, NULL, 'c'},
      {"program", required_argument, NULL, 'p'},   {"tool", required_argument, NULL, 't'},
      {"processes", required_argument, NULL, 'n'}, {"strict", no_argument, NULL, 's'},
      {"warm", no_argument, NULL, 'w'},            {"show-frame", no_argument, NULL, 'f'},
      {NULL, 0, NULL, 0},
  };
  struct options options = {.processes = available_cpus()};
  int option;
  while ((option = getopt_long(argc, argv, "", known, NULL)) >= 0) {
    switch (option) {
      case 'i': options.in_flight = (unsigned)number("in-flight", optarg, IN_FLIGHT_MAXIMUM); break;
      case 'c': options.count = number("count", optarg, COUNT_MAXIMUM); break;
      case 'p': options.program = optarg; break;
      case 't':
        if (options.tool_count == TOOLS_MAXIMUM) refuse("--tool can be given at most %d times", TOOLS_MAXIMUM);
        options.tools[options.tool_count++] = optarg;
        break;
      case 'n': options.processes = (unsigned)number("processes", optarg, PROCESSES_MAXIMUM); break;
      case 's': options.strict = true; break;
      case 'w': options.warm = true; break;
      case 'f': options.show_frame = true; break;
      default: refuse("this command line is not understood");
    }
  }
  if (optind < argc) refuse("'%s' belongs to no option", argv[optind]);
  if (!options.program || !*options.program) refuse("--program is missing, or empty");
  if (!options.show_frame && (!options.in_flight || !options.count)) refuse("--in-flight and --count are needed");
  if (options.processes > options.in_flight) options.processes = options.in_flight;
  return options;
}
