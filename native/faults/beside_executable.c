/*
 * The file of an executable, which has an empty environment: the path that it was started by, and `.faults`. Where another program has
 * executed it in a root of its own making, that path leads nowhere; the file then came along, as a descriptor that nobody else uses.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "faults.h"

/* Far above those that launcher and program count on. */
#define DESCRIPTOR_THAT_COMES_ALONG 500

long __real_syscall(long number, ...);

static int open_beside(int flags) {
  static const char suffix[] = ".faults";
  char path[4096];
  long length = __real_syscall(SYS_readlink, "/proc/self/exe", path, sizeof path - sizeof suffix);
  if (length <= 0) return -1;
  memcpy(path + length, suffix, sizeof suffix);
  return (int)__real_syscall(SYS_openat, AT_FDCWD, path, O_RDWR | flags, 0);
}

int fault_file(bool *is_inside) {
  int file = open_beside(O_CLOEXEC);
  if (file >= 0) return file;
  *is_inside = __real_syscall(SYS_fcntl, DESCRIPTOR_THAT_COMES_ALONG, F_GETFD) >= 0;
  return *is_inside ? DESCRIPTOR_THAT_COMES_ALONG : -1;
}

void fault_file_comes_along(void) {
  int file = open_beside(0);
  if (file < 0) return;
  (void)__real_syscall(SYS_dup3, file, DESCRIPTOR_THAT_COMES_ALONG, 0);
  (void)__real_syscall(SYS_close, file);
}
