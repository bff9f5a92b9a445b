/*
 * Prints the lists that the filters are made of, as JSON, with every reason: what docs/system-calls.md is written from, and what
 * the tests expect of each number. Never shipped. It knows the lists, and not how they become filters.
 *
 *   {"zygote": [CALL…], "preparation": [CALL…], "runner": [CALL…], "cloneFlags": {"shared": …, "own": …, "none": …},
 *    "command": [REFUSED…], "firstUnknown": …}
 *   CALL     {"name", "number", "reason"}, and for one that depends on an argument {"argument", "argumentName", "rule", "values",
 *            "valueNames"}; "rule": "between" or "one of"
 *   REFUSED  {"name", "number", "error", "reason"}, and for one that is refused only with some arguments {"arguments"}
 */
#include <stdint.h>
#include <stdio.h>

#include "command/refused_calls.h"
#include "launcher/allow_list.h"

static const char *separator = "";

static void print_call(const char *name, long number, const char *reason) {
  printf("%s\n  {\"name\": \"%s\", \"number\": %ld, \"reason\": \"%s\"", separator, name, number, reason);
  separator = ",";
}

static void print_argument(int argument, const char *name, const char *rule, const char *value_names,
                           const uint32_t *values, size_t count) {
  printf(", \"argument\": %d, \"argumentName\": \"%s\", \"rule\": \"%s\", \"valueNames\": \"%s\", \"values\": [", argument, name,
         rule, value_names);
  for (size_t i = 0; i < count; i++) printf(i == 0 ? "%u" : ", %u", values[i]);
  putchar(']');
}

static void print_refused(const char *name, long number, const char *error, const char *arguments, const char *reason) {
  print_call(name, number, reason);
  printf(", \"error\": \"%s\"", error);
  if (arguments) printf(", \"arguments\": \"%s\"", arguments);
  putchar('}');
}

static void begin_list(const char *name) {
  printf("\"%s\": [", name);
  separator = "";
}
static void end_list(void) { puts("],"); }

#define ANY(name, reason) print_call(#name, SYS_##name, reason), putchar('}');
#define BETWEEN(name, number, argument, reason, low, high) \
  print_call(#name, SYS_##name, reason);                   \
  print_argument(number, #argument, "between", #low ", " #high, (const uint32_t[]){low, high}, 2); \
  putchar('}');
#define ONE_OF(name, number, argument, reason, ...)                                                    \
  print_call(#name, SYS_##name, reason);                                                               \
  print_argument(number, #argument, "one of", #__VA_ARGS__, (const uint32_t[]){__VA_ARGS__},           \
                 sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t));                                \
  putchar('}');
#define REFUSE(number, name, error, reason) print_refused(#name, number, #error, NULL, reason);
#define RESTRICT(number, name, arguments, reason) print_refused(#name, number, "EPERM", arguments, reason);

int main(void) {
  const uint32_t the_launchers_shape = 0; /* each launcher's own: see cloneFlags */
  putchar('{');
  begin_list("zygote");
  ZYGOTE_CALLS(ANY, BETWEEN, ONE_OF, the_launchers_shape)
  end_list();
  begin_list("preparation");
  RUNNER_PREPARATION_CALLS(ANY, BETWEEN, ONE_OF)
  end_list();
  begin_list("runner");
  RUNNER_CALLS(ANY, BETWEEN, ONE_OF)
  end_list();
  printf("\"cloneFlags\": {\"shared\": %u, \"own\": %u, \"none\": %u},\n", (unsigned)SANDBOX_CLONE_FLAGS,
         (unsigned)STRICT_CLONE_FLAGS, (unsigned)PLAIN_CLONE_FLAGS);
  begin_list("command");
  REFUSED_CALLS(REFUSE, RESTRICT)
  end_list();
  printf("\"firstUnknown\": %d}\n", FIRST_UNKNOWN_CALL);
  return fflush(stdout) == 0 ? 0 : 1;
}
