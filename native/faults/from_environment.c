/* The file of the addon, which has the executable of Node: its path is in the environment. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "faults.h"

long __real_syscall(long number, ...);

int fault_file(bool *is_inside) {
  *is_inside = false;
  const char *path = getenv("WARDENPOOL_FAULTS");
  return path ? (int)__real_syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
}

/* Launchers have another, beside them. */
void fault_file_comes_along(void) {}
