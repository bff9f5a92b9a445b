/*
 * What the linker puts in place of each call. Integers and pointers are passed on unseen, in the registers that they came in: so one
 * wrapper serves every signature of up to six, which is the ABI of x86-64 and of AArch64.
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

#include "calls.h"
#include "faults.h"

/* Whether the call is to fail; errno says how. */
static bool fails(const char *call, const void *place) {
  int error = fault_at(call, place);
  if (error == 0) return false;
  errno = error > 0 ? error : EIO;
  return true;
}

#define WRAP(name, failure)                                                                       \
  long __real_##name(long, long, long, long, long, long);                                         \
  long __wrap_##name(long a, long b, long c, long d, long e, long f) {                            \
    if (fails(#name, __builtin_return_address(0))) return failure;                                \
    return __real_##name(a, b, c, d, e, f);                                                       \
  }
CALLS(WRAP)

long __real_syscall(long, long, long, long, long, long);
long __wrap_syscall(long number, long b, long c, long d, long e, long f) {
  if (fails("syscall", __builtin_return_address(0))) return -1;
  long result = __real_syscall(number, b, c, d, e, f);
  if (number == SYS_clone && result == 0) fault_depth++;
  return result;
}

long __real_fork(void);
long __wrap_fork(void) {
  if (fails("fork", __builtin_return_address(0))) return -1;
  long result = __real_fork();
  if (result == 0) fault_depth++;
  return result;
}

int __real_execve(const char *, char *const[], char *const[]);
int __wrap_execve(const char *path, char *const arguments[], char *const environment[]) {
  if (fails("execve", __builtin_return_address(0))) return -1;
  if (faults) fault_file_comes_along();
  return __real_execve(path, arguments, environment);
}

/* The clone starts with the memory that is here now, or shares it until it executes something else; its parent waits then. */
int __real_clone(int (*)(void *), void *, int, void *, ...);
int __wrap_clone(int (*start)(void *), void *stack, int flags, void *argument, ...) {
  if (fails("clone", __builtin_return_address(0))) return -1;
  va_list list;
  va_start(list, argument);
  void *parent = va_arg(list, void *), *storage = va_arg(list, void *), *child = va_arg(list, void *);
  va_end(list);
  fault_depth++;
  int result = __real_clone(start, stack, flags, argument, parent, storage, child);
  fault_depth--;
  return result;
}

long __real_write(long, const void *, unsigned long);
long __wrap_write(long descriptor, const void *bytes, unsigned long length) {
  int error = fault_at("write", __builtin_return_address(0));
  if (error == FAULT_DIES_HALFWAY || error == FAULT_SILENT_HALFWAY) {
    (void)__real_write(descriptor, bytes, length / 2);
    if (error == FAULT_DIES_HALFWAY) __builtin_trap();
    for (;;) (void)__real_ppoll(0, 0, 0, 0, 0, 0);
  }
  if (error == 0) return __real_write(descriptor, bytes, length);
  errno = error;
  return -1;
}

int __real_clock_gettime(clockid_t, struct timespec *);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  int result = __real_clock_gettime(clock, now);
  if (faults && result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI))
    now->tv_sec += faults->order.clock_shift;
  return result;
}
