/*
 * The native stack that the guest runs on; see runner_on_guest_stack() in runner.h.
 *
 * One mapping, from its lowest address on: the alternate stack for signal handlers, a guard, the stack. The
 * alternate stack lies lowest because glibc checks, for a jump out of a handler, that it goes to a higher
 * address; if it does not, glibc asks the kernel about the alternate stack, with a call that the runner's
 * filter does not allow.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "address_space.h"
#include "boundary.h"
#include "diagnostics.h"
#include "runner.h"
#include "sanitizer.h"

#define STACK_BYTES ((size_t)64 << 20) /* 50,000 nested parentheses exhaust 8 MiB */
#define GUARD_BYTES ((size_t)1 << 20)  /* no frame of the translated engine is larger */
#define HANDLER_BYTES ((size_t)128 << 10)

static ucontext_t entry;
static int (*entry_continuation)(void *);
static void *entry_argument;

/*
 * The stack that exec made is left for good, and lies far from everything else: a clone without it has three page tables
 * less. Best effort, since it costs only time. The list has the path of this binary in it, which no program is to find in its memory:
 * so it is read into memory that is wiped.
 */
static void withhold_first_stack(void) {
  static char buffer[4096], line[512];
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return;
  if (setvbuf(maps, buffer, _IOFBF, sizeof buffer) == 0) {
    while (fgets(line, sizeof line, maps)) {
      unsigned long start, end;
      if (!strstr(line, "[stack]") || sscanf(line, "%lx-%lx", &start, &end) != 2) continue;
      (void)madvise((void *)start, end - start, MADV_DONTFORK);
      break;
    }
  }
  fclose(maps);
  explicit_bzero(buffer, sizeof buffer);
  explicit_bzero(line, sizeof line);
}

static void enter(void) {
  sanitizer_finish_switch();
  withhold_first_stack();
  int status = entry_continuation(entry_argument);
  _exit(status);
}

static void fail(const char *what) {
  diagnose("%s: %s", what, strerror(errno));
  _exit(1);
}

/* Where everything lies is laid out for pages of this size; those of an arm64 kernel may be larger. */
static void require_page_size(void) {
  unsigned long bytes = getauxval(AT_PAGESZ);
  if (bytes == ADDRESS_SPACE_PAGE_BYTES) return;
  diagnose("this kernel has pages of %lu bytes, and the runner needs pages of %u", bytes, ADDRESS_SPACE_PAGE_BYTES);
  _exit(1);
}

void runner_on_guest_stack(int (*continuation)(void *), void *argument) {
  require_page_size();
  size_t handler_bytes = HANDLER_BYTES + (size_t)getauxval(AT_MINSIGSTKSZ);
  handler_bytes = (handler_bytes + 0xffff) & ~(size_t)0xffff;
  size_t total = handler_bytes + GUARD_BYTES + STACK_BYTES;
  char *start = address_space_stack(total);
  if (!start) fail("the guest's stack cannot be mapped");
  char *guard = start + handler_bytes;
  char *stack = guard + GUARD_BYTES;
  if (mprotect(guard, GUARD_BYTES, PROT_NONE) != 0) fail("the guard of the guest's stack cannot be set up");
  stack_t handler_stack = {.ss_sp = start, .ss_size = handler_bytes};
  if (sigaltstack(&handler_stack, NULL) != 0) fail("the stack for signal handlers cannot be set up");
  boundary_set_stack(guard, GUARD_BYTES, STACK_BYTES);
  entry_continuation = continuation;
  entry_argument = argument;
  if (getcontext(&entry) != 0) fail("the guest's stack cannot be entered");
  entry.uc_stack.ss_sp = stack;
  entry.uc_stack.ss_size = STACK_BYTES;
  entry.uc_link = NULL;
  makecontext(&entry, enter, 0);
  sanitizer_start_switch(stack, STACK_BYTES);
  (void)setcontext(&entry);
  fail("the guest's stack cannot be entered");
  abort(); /* not reached */
}
