/* Signal frames that no signal made, timers, and a process that lets no signal in. */
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/ucontext.h>
#include <ucontext.h>
#include <unistd.h>

#include "attacker.h"

/* Of uc_flags: the stack segment is to be taken from the frame as it is. */
#define TAKE_STACK_SEGMENT 0x6

#define CODE_SEGMENT 0x33u
#define STACK_SEGMENT 0x2bu

static char landing_stack[16384] __attribute__((aligned(64)));

__attribute__((noreturn)) static void landed(void) {
  uint64_t flags;
  __asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags));
  report_number("privilege for ports", (long long)(flags >> 12 & 3));
  report_number("nested task", (long long)(flags >> 14 & 1));
  report_number("virtual 8086", (long long)(flags >> 17 & 1));
  report_number("interrupts", (long long)(flags >> 9 & 1));
  uint64_t mask = 0;
  report("mask", raw_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&mask, sizeof mask, 0, 0));
  report_hexadecimal("blocked", mask);
  send_reports();
  _exit(0);
}

/* "Returns" from a handler that never was, to where and as what the frame says: code and stack segment, flags, address ("0": go on). */
static void forged_frame(char **arguments) {
  static ucontext_t frame;
  const uint64_t code = (uint64_t)argument_value(arguments[0]), stack = (uint64_t)argument_value(arguments[1]);
  const long address = argument_value(arguments[3]);
  frame.uc_flags = TAKE_STACK_SEGMENT;
  greg_t *registers = frame.uc_mcontext.gregs;
  registers[REG_CSGSFS] = (greg_t)(code | stack << 48);
  registers[REG_EFL] = argument_value(arguments[2]);
  registers[REG_RIP] = address ? address : (long)landed;
  registers[REG_RSP] = (greg_t)((uintptr_t)landing_stack + sizeof landing_stack - 64 - 8);
  memset(&frame.uc_sigmask, 0xff, sizeof(uint64_t)); /* no handler is to hide what comes of it */
  __asm__ volatile("movq %0, %%rsp\n\tmovl $15, %%eax\n\tsyscall\n\tud2" : : "r"(&frame) : "rax", "memory");
}

/* With nothing in it at all. */
static void empty_frame(char **arguments) {
  (void)arguments;
  static ucontext_t frame;
  __asm__ volatile("movq %0, %%rsp\n\tmovl $15, %%eax\n\tsyscall\n\tud2" : : "r"(&frame) : "rax", "memory");
}

static void block_everything(void) {
  const uint64_t all = ~0ull;
  if (raw_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, sizeof all, 0, 0) != 0) _exit(122);
}

/* Busy for ever, with every signal blocked that can be; says so first. */
static void blocked(char **arguments) {
  (void)arguments;
  block_everything();
  report_text("signals", "blocked");
  send_reports();
  for (;;) __asm__ volatile("pause");
}

/* As many signals to itself as a timer can send, into the runner's own handler. */
static void storm(char **arguments) {
  (void)arguments;
  const struct itimerval soon = {{0, 1}, {0, 1}};
  uint64_t until = __builtin_ia32_rdtsc() + 200000000ull;
  report("setitimer", raw_call(SYS_setitimer, ITIMER_REAL, (long)&soon, 0, 0, 0, 0));
  while (__builtin_ia32_rdtsc() < until) __asm__ volatile("pause");
  report_text("afterwards", "goes on");
}

/* A timer that is due after the end. */
static void timer_left(char **arguments) {
  (void)arguments;
  const struct itimerval later = {{0, 0}, {0, 1000}};
  report("setitimer", raw_call(SYS_setitimer, ITIMER_REAL, (long)&later, 0, 0, 0, 0));
}

/* Says that it is there, and stays until the host has looked at it. */
static void stay(char **arguments) {
  (void)arguments;
  report_text("here", "yes");
  send_reports();
  wait_for_host();
}

const struct attack signal_attacks[] = {
    {"forged-frame", forged_frame},
    {"empty-frame", empty_frame},
    {"blocked", blocked},
    {"storm", storm},
    {"timer-left", timer_left},
    {"stay", stay},
    {NULL, NULL},
};
