/* Its own memory: what of the host is in it, what of it can be changed or executed, and what the kernel says about addresses. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "attacker.h"
#include "engine.h"

#define PAGE ((uintptr_t)4096)
#define NO_SUCH_WAY 99 /* to change a signal mask: the kernel reads the mask before it looks at this */

extern void *__libc_stack_end;
extern const char __ehdr_start[];

/* Found by whoever looks for it, so that a search that finds nothing is known to search. */
static const char canary[] = "a_canary_of_the_attacking_runner";

bool is_readable(uintptr_t address) {
  return raw_call(SYS_rt_sigprocmask, NO_SUCH_WAY, (long)address, 0, sizeof(uint64_t), 0, 0) == -EINVAL;
}

/* `backwards`: so that neither the request nor anything made of it is what is looked for. */
static unsigned long occurrences(const char *from, const char *to, const char *backwards, size_t length) {
  unsigned long count = 0;
  const char last = backwards[length - 1];
  for (const char *at = from; at + length <= to && (at = memchr(at, last, (size_t)(to - at))); at++) {
    size_t same = 1;
    while (same < length && at + same < to && at[same] == backwards[length - 1 - same]) same++;
    if (same == length) count++;
  }
  return count;
}

/*
 * Ranges of addresses, in pairs, then "/" and texts, each backwards: how often each is in what can be read. A text that two
 * neighbouring ranges share is not found.
 */
static void search(char **arguments) {
  char **texts = arguments;
  while (*texts && **texts != '/') texts++;
  uintptr_t bytes = 0;
  for (char **text = *texts ? texts + 1 : texts; *text; text++) {
    unsigned long found = 0;
    bytes = 0;
    for (char **range = arguments; range + 1 < texts; range += 2) {
      uintptr_t end = (uintptr_t)argument_value(range[1]);
      for (uintptr_t page = (uintptr_t)argument_value(range[0]); page < end;) {
        if (!is_readable(page)) {
          page += PAGE;
          continue;
        }
        uintptr_t stop = page + PAGE;
        while (stop < end && is_readable(stop)) stop += PAGE;
        found += occurrences((const char *)page, (const char *)stop, *text, strlen(*text));
        bytes += stop - page;
        page = stop;
      }
    }
    report_number(*text, (long long)found);
  }
  report_number("bytes", (long long)bytes);
}

/* The kernel's notes about a new program, looked up while they are there. */
static uintptr_t path, random_bytes, kernel_code;

__attribute__((constructor)) static void note(void) {
  path = getauxval(AT_EXECFN);
  random_bytes = getauxval(AT_RANDOM);
  kernel_code = getauxval(AT_SYSINFO_EHDR);
}

/* Where a new program has its arguments, its environment and those notes. */
static void first_stack(char **arguments) {
  (void)arguments;
  report_text("its end", is_readable((uintptr_t)__libc_stack_end) ? "there" : "gone");
  report_text("environment", is_readable((uintptr_t)environ) ? "there" : "gone");
  report_text("path", is_readable(path) ? "there" : "gone");
  report_text("random bytes", is_readable(random_bytes) ? "there" : "gone");
}

static uint64_t thread_word(unsigned offset) {
  uint64_t value;
  __asm__ volatile("movq %%fs:(%1), %0" : "=r"(value) : "r"((uint64_t)offset));
  return value;
}

/* What an exploit would have to know of another sandbox. */
static void secrets(char **arguments) {
  (void)arguments;
  report_hexadecimal("stack protector", thread_word(0x28));
  report_hexadecimal("pointer guard", thread_word(0x30));
  report_hexadecimal("address of the program", (uintptr_t)__ehdr_start);
  uint64_t random = 0;
  if (raw_call(SYS_getrandom, (long)&random, sizeof random, 0, 0, 0, 0) != sizeof random) _exit(122);
  report_hexadecimal("random number", random);
  report_hexadecimal("canary", (uintptr_t)canary);
}

static uintptr_t place(const char *name) {
  static char of_the_program[64];
  const wasm_rt_memory_t *memory = ENGINE_EXPORT_memory(&engine);
  if (strcmp(name, "text") == 0) return (uintptr_t)&place;
  if (strcmp(name, "constants") == 0) return (uintptr_t)canary;
  if (strcmp(name, "linked") == 0) return (uintptr_t)call_attacks; /* pointers, set by the linker and then protected */
  if (strcmp(name, "data") == 0) return (uintptr_t)of_the_program;
  if (strcmp(name, "engine") == 0) return (uintptr_t)memory->data + memory->size / 2;
  if (strcmp(name, "stack") == 0) return (uintptr_t)__builtin_frame_address(0) - 2 * PAGE;
  if (strcmp(name, "vdso") == 0) return kernel_code;
  return (uintptr_t)argument_value(name);
}

static void read_at(char **arguments) { report_number("byte", *(volatile unsigned char *)place(arguments[0])); }
static void write_at(char **arguments) {
  *(volatile unsigned char *)place(arguments[0]) = 0xc3;
  report_text("result", "written");
}
/* A return instruction, written there and called. */
static void execute_at(char **arguments) {
  *(volatile unsigned char *)place(arguments[0]) = 0xc3;
  ((void (*)(void))place(arguments[0]))();
  report_text("result", "executed");
}

/* By the kernel's hand: each call that writes or reads where it is told. */
static void kernel_at(char **arguments) {
  long address = (long)place(arguments[0]);
  report("read", raw_call(SYS_read, 3, address, 1, 0, 0, 0));
  report("write", raw_call(SYS_write, 2, address, 1, 0, 0, 0));
  struct {
    long base, length;
  } part = {address, 1};
  report("writev", raw_call(SYS_writev, 2, (long)&part, 1, 0, 0, 0));
  /* Which error, depends on the bytes that are there. */
  long list = raw_call(SYS_writev, 2, address, 1, 0, 0, 0);
  if (list == -EINVAL || list == -EFAULT) report_text("writev of a list there", "refused");
  else report("writev of a list there", list);
  report("getrandom", raw_call(SYS_getrandom, address, 1, 0, 0, 0, 0));
  report("clock_gettime", raw_call(SYS_clock_gettime, 0, address, 0, 0, 0, 0));
  const struct timespec now = {0, 0};
  report("ppoll", raw_call(SYS_ppoll, address, 1, (long)&now, 0, 0, 0));
  report("rt_sigprocmask", raw_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, address, 8, 0, 0));
  report("setitimer", raw_call(SYS_setitimer, 0, 0, address, 0, 0, 0));
}

const struct attack memory_attacks[] = {
    {"search", search},
    {"first-stack", first_stack},
    {"secrets", secrets},
    {"read-at", read_at},
    {"write-at", write_at},
    {"execute-at", execute_at},
    {"kernel-at", kernel_at},
    {NULL, NULL},
};
