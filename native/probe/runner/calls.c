/* System calls, by every way into the kernel that the machine has. */
#include <sys/syscall.h>
#include <unistd.h>

#include "attacker.h"

static void values_of(char **words, long values[static 7]) {
  for (unsigned i = 0; i < 7; i++) values[i] = *words ? argument_value(*words++) : 0;
}

/* A number and its arguments, those left out being zero. */
static void call(char **arguments) {
  long v[7];
  values_of(arguments, v);
  report("result", raw_call(v[0], v[1], v[2], v[3], v[4], v[5], v[6]));
}

/* Several, one after the other, separated by "/". */
static void calls(char **arguments) {
  long v[7];
  while (*arguments) {
    const char *name = *arguments;
    char *words[8] = {0};
    for (unsigned i = 0; *arguments && **arguments != '/'; arguments++)
      if (i < 7) words[i++] = *arguments;
    if (*arguments) arguments++;
    values_of(words, v);
    report(name, raw_call(v[0], v[1], v[2], v[3], v[4], v[5], v[6]));
  }
}

/* The interface of 32-bit programs, which has numbers of its own. */
static void by_interrupt(char **arguments) {
  long v[7];
  values_of(arguments, v);
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(v[0]), "b"(v[1]), "c"(v[2]), "d"(v[3]), "S"(v[4]), "D"(v[5]) : "memory");
  report("result", result);
}

static void by_sysenter(char **arguments) {
  long v[7];
  values_of(arguments, v);
  long result;
  __asm__ volatile("sysenter" : "=a"(result) : "a"(v[0]), "b"(v[1]) : "rcx", "rdx", "memory");
  report("result", result);
}

/* The page at a fixed address where old programs find three calls. */
static void by_vsyscall(char **arguments) {
  long (*function)(long, long, long) = (long (*)(long, long, long))argument_value(arguments[0]);
  report("result", function(0, 0, 0));
}

/* To code of 32 bits: a far return to a segment that every process has. */
static void to_32_bits(char **arguments) {
  (void)arguments;
  __asm__ volatile("pushq $0x23\n\tleaq 1f(%%rip), %%rax\n\tpushq %%rax\n\tlretq\n1:\tint $0x80" : : : "rax", "memory");
  report_text("result", "went on");
}

/* A program that has no call left but these ends; it must be the sandbox that does, and with this code. */
static void ends(char **arguments) {
  long v[7];
  values_of(arguments, v);
  (void)raw_call(v[0], v[1], 0, 0, 0, 0, 0);
}

const struct attack call_attacks[] = {
    {"call", call},
    {"calls", calls},
    {"int80", by_interrupt},
    {"sysenter", by_sysenter},
    {"vsyscall", by_vsyscall},
    {"to-32-bits", to_32_bits},
    {"end", ends},
    {NULL, NULL},
};
