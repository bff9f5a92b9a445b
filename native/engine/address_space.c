/* Where the memory of a run lies; see address_space.h. */
#include "address_space.h"

#include <errno.h>
#include <sys/mman.h>

#define PAGE_BYTES ((uintptr_t)ADDRESS_SPACE_PAGE_BYTES)
#define TABLE_BYTES ((uintptr_t)2 << 20)     /* what one page table covers */
#define DIRECTORY_BYTES ((uintptr_t)1 << 30) /* and one directory of page tables */

/* The buffers begin in the middle of a page table, and what is used of the stack is the half of it before them. */
#define BUFFERS_OFFSET (TABLE_BYTES / 2)

/* Together they should leave room for the start of the linear memory; what does not fit lies elsewhere. */
#define BUFFERS_MAXIMUM_BYTES (DIRECTORY_BYTES - 4 * TABLE_BYTES)

/* What the kernel and the C library map there. */
#define BEHIND_PROGRAM_BYTES (4 * TABLE_BYTES)

/* The first MiB of the linear memory is the module's own stack, of which little more than the end is used. */
#define MODULE_STACK_UNUSED_BYTES (((uintptr_t)1 << 20) - ((uintptr_t)64 << 10))

static uintptr_t next, buffers_end;

extern char _end; /* of the linker: where the program ends */

static void *reserve(uintptr_t hint, size_t bytes) {
  void *start = mmap((void *)hint, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

static void *open_up(uintptr_t start, size_t bytes) {
  if (mprotect((void *)start, bytes, PROT_READ | PROT_WRITE) != 0) return NULL;
  /* A clone touches a few small pages of each; a huge one would be cleared for that. Not every kernel has them. */
  (void)madvise((void *)start, bytes, MADV_NOHUGEPAGE);
  return (void *)start;
}

static uintptr_t round_up(uintptr_t value, uintptr_t unit) { return (value + unit - 1) / unit * unit; }

void *address_space_stack(size_t bytes) {
  bytes = round_up(bytes, PAGE_BYTES);
  /* Right behind the program, if that is free, so as to share its directory. What is never opened up costs nothing. */
  uintptr_t start = (uintptr_t)reserve(round_up((uintptr_t)&_end + BEHIND_PROGRAM_BYTES, TABLE_BYTES),
                                       bytes + DIRECTORY_BYTES + ADDRESS_SPACE_LINEAR_BYTES);
  if (!start) return NULL;
  uintptr_t end = round_up(start + bytes, TABLE_BYTES) + BUFFERS_OFFSET;
  next = end + PAGE_BYTES; /* a page that is never opened up */
  buffers_end = next + BUFFERS_MAXIMUM_BYTES;
  return open_up(end - bytes, bytes);
}

void *address_space_buffer(size_t bytes) {
  bytes = round_up(bytes, PAGE_BYTES);
  if (bytes > buffers_end - next) {
    void *start = reserve(0, bytes);
    return start ? open_up((uintptr_t)start, bytes) : NULL;
  }
  uintptr_t start = next;
  next += bytes;
  return open_up(start, bytes);
}

void *address_space_linear_memory(size_t bytes) {
  if (bytes > ADDRESS_SPACE_LINEAR_BYTES) {
    errno = EINVAL;
    return NULL;
  }
  /* At least one page that is never opened up lies before it, and no buffer comes after it. */
  uintptr_t start = round_up(next + PAGE_BYTES + MODULE_STACK_UNUSED_BYTES, TABLE_BYTES) - MODULE_STACK_UNUSED_BYTES;
  buffers_end = next;
  return open_up(start, bytes);
}
