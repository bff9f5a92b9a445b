/* The boundary between our own code and the guest; see boundary.h. */
#include "boundary.h"

#include <stdint.h>

#include "sanitizer.h"
#include "wasm_runtime.h"

volatile sig_atomic_t boundary_in_guest;
volatile sig_atomic_t boundary_attention;
const char *boundary_trap_reason = "";
sigjmp_buf boundary_point;

static void ignore_attention(void) {}
void (*boundary_on_attention)(void) = ignore_attention;

static uintptr_t guard_start;
static uintptr_t guard_end; /* and where the stack begins */
static size_t stack_length;

void boundary_unwind(enum boundary_return how) {
  boundary_in_guest = 0;
  sanitizer_forget_frames((const void *)guard_end, stack_length);
  siglongjmp(boundary_point, (int)how);
}

void boundary_trap(const char *reason) {
  boundary_trap_reason = reason;
  boundary_unwind(BOUNDARY_TRAPPED);
}

void boundary_set_stack(const void *guard, size_t guard_bytes, size_t stack_bytes) {
  guard_start = (uintptr_t)guard;
  guard_end = guard_start + guard_bytes;
  stack_length = stack_bytes;
}

uintptr_t boundary_stack_end(void) { return guard_end + stack_length; }

static void on_fault(int signal_number, siginfo_t *info, void *context) {
  (void)signal_number;
  (void)context;
  uintptr_t address = (uintptr_t)info->si_addr;
  /* A positive code means that the kernel raised the signal for a fault, not some process by kill(). */
  if (info->si_code > 0) {
    if (address >= guard_start && address < guard_end) boundary_trap("its native stack is exhausted");
    if (boundary_in_guest && wasm_runtime_owns(address)) boundary_trap("it reached outside its memory");
  }
  /* Ours. Returning runs the instruction again, and this time the default action ends the process. */
}

int boundary_catch_faults(void) {
  /* The kernel resets the disposition itself: a sandboxed process may not call sigaction() any more. */
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};
  /* Everything waits while a fault is handled: an unwind must not be interrupted by another one. */
  (void)sigfillset(&action.sa_mask);
  if (sigaction(SIGSEGV, &action, NULL) != 0) return -1;
  return sigaction(SIGBUS, &action, NULL);
}
