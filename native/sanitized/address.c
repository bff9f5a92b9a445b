/*
 * What a launcher or runner needs to live with the address sanitizer, whose library maps memory at any time: no system call
 * is filtered, there is no limit of memory, and the stack that exec made stays. For tests only, never shipped, and it says so: the engine's version
 * names the sanitizer, and a receipt that there is no filter. It takes the places of functions by the linker (--wrap).
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "launcher/seccomp_filter.h"

int __wrap_build_filters(uint32_t clone_flags);
int __wrap_build_command_filter(struct filter *filter);
int __real_install_filter(const struct filter *filter);
int __wrap_install_filter(const struct filter *filter);
int __real_setrlimit(int resource, const struct rlimit *limit);
int __wrap_setrlimit(int resource, const struct rlimit *limit);
int __real_madvise(void *start, size_t length, int advice);
int __wrap_madvise(void *start, size_t length, int advice);
const char *__real_runner_engine_version(void);
const char *__wrap_runner_engine_version(void);
int __wrap_runner_rehearse(char *error, size_t error_size);
void __real_boundary_set_stack(const void *guard, size_t guard_bytes, size_t stack_bytes);
void __wrap_boundary_set_stack(const void *guard, size_t guard_bytes, size_t stack_bytes);
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

/*
 * One that lets everything through, so that a process can still be seen to have come this far: tests count its filters. Weak, as
 * the launchers of attackers have their own.
 */
__attribute__((weak)) int __wrap_install_filter(const struct filter *filter) {
  (void)filter;
  static const struct filter open_to_all = {1, {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
  return __real_install_filter(&open_to_all);
}

int __wrap_setrlimit(int resource, const struct rlimit *limit) {
  bool is_of_memory = resource == RLIMIT_DATA || resource == RLIMIT_STACK;
  return is_of_memory ? 0 : __real_setrlimit(resource, limit);
}

int __wrap_madvise(void *start, size_t length, int advice) {
  return advice == MADV_DONTFORK ? 0 : __real_madvise(start, length, advice);
}

/* It copies whole pages of a stack, with what the sanitizer has put between the variables. Weak for the same reason. */
__attribute__((weak)) int __wrap_runner_rehearse(char *error, size_t error_size) {
  (void)error, (void)error_size;
  return 0;
}

static void *guest_stack;
static size_t guest_stack_bytes;

void __wrap_boundary_set_stack(const void *guard, size_t guard_bytes, size_t stack_bytes) {
  guest_stack = (char *)guard + guard_bytes;
  guest_stack_bytes = stack_bytes;
  __real_boundary_set_stack(guard, guard_bytes, stack_bytes);
}

/*
 * Called by the sanitizer's library when a handler on its own stack jumps out of the guest: it wants to know which stack is left.
 * The C library would read that from /proc/self/maps, which a sandbox has not, nor a descriptor for it; and the library ends a
 * process that is not told. It asks nothing else of the attributes.
 */
__attribute__((visibility("default"))) int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  if (!guest_stack || !pthread_equal(thread, pthread_self())) return ENOTSUP;
  int error = pthread_attr_init(attributes);
  return error ? error : pthread_attr_setstack(attributes, guest_stack, guest_stack_bytes);
}

const char *__wrap_runner_engine_version(void) {
  static char version[48];
  snprintf(version, sizeof version, "%s, address sanitizer, no filter", __real_runner_engine_version());
  return version;
}
