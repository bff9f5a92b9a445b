/*
 * The label of a build that undefined behaviour ends. For tests only, never shipped, and it says so: in the engine's version, and
 * thereby in receipts. It takes the place of a function by the linker (--wrap).
 */
#include <stdio.h>

const char *__real_runner_engine_version(void);
const char *__wrap_runner_engine_version(void);

const char *__wrap_runner_engine_version(void) {
  static char version[48];
  snprintf(version, sizeof version, "%s, undefined behaviour traps", __real_runner_engine_version());
  return version;
}
