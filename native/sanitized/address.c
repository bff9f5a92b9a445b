/*
 * What a launcher or runner needs to live with the address sanitizer, whose library maps memory at any time: no system call
 * filter, no limit of memory, and the stack that exec made. For tests only, never shipped, and it says so: the engine's version
 * names the sanitizer, and a receipt that there is no filter. It takes the places of functions by the linker (--wrap).
 */
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "launcher/seccomp_filter.h"

int __wrap_build_filters(uint32_t clone_flags);
int __wrap_build_command_filter(struct filter *filter);
int __wrap_install_filter(const struct filter *filter);
int __real_setrlimit(int resource, const struct rlimit *limit);
int __wrap_setrlimit(int resource, const struct rlimit *limit);
int __real_madvise(void *start, size_t length, int advice);
int __wrap_madvise(void *start, size_t length, int advice);
const char *__real_runner_engine_version(void);
const char *__wrap_runner_engine_version(void);
int __wrap_runner_rehearse(char *error, size_t error_size);
const char *__asan_default_options(void);

/* The runner handles faults itself, on a stack of its own, and ends without freeing, by design. A sandbox has nothing by which
 * the names of functions could be found. */
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
  return "detect_leaks=0:use_sigaltstack=0:abort_on_error=1:symbolize=0";
}

int __wrap_build_filters(uint32_t clone_flags) {
  (void)clone_flags;
  return 0;
}

int __wrap_build_command_filter(struct filter *filter) {
  filter->length = 0;
  return 0;
}

int __wrap_install_filter(const struct filter *filter) {
  (void)filter;
  return 0;
}

int __wrap_setrlimit(int resource, const struct rlimit *limit) {
  bool is_of_memory = resource == RLIMIT_DATA || resource == RLIMIT_STACK;
  return is_of_memory ? 0 : __real_setrlimit(resource, limit);
}

int __wrap_madvise(void *start, size_t length, int advice) {
  return advice == MADV_DONTFORK ? 0 : __real_madvise(start, length, advice);
}

/* It copies whole pages of a stack, with what the sanitizer has put between the variables. */
int __wrap_runner_rehearse(char *error, size_t error_size) {
  (void)error, (void)error_size;
  return 0;
}

const char *__wrap_runner_engine_version(void) {
  static char version[48];
  snprintf(version, sizeof version, "%s, address sanitizer, no filter", __real_runner_engine_version());
  return version;
}
