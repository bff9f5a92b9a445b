/*
 * The boundary between our own code and the guest: everything that runs inside the engine's linear memory.
 *
 * Whoever calls the engine does it by way of GUEST_CALL, which marks the time spent there. A signal handler,
 * a trap or a fault may abandon guest code at any instruction by unwinding to the point set with
 * BOUNDARY_SET; it never abandons our own code in the middle of a change. After an unwind no function of the
 * engine is called again and nothing in its memory is trusted. This file knows neither the runner nor why a
 * guest is stopped.
 */
#ifndef WARDENPOOL_BOUNDARY_H
#define WARDENPOOL_BOUNDARY_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why control came back to the point set with BOUNDARY_SET. */
enum boundary_return {
  BOUNDARY_FIRST = 0, /* the point was set */
  BOUNDARY_STOPPED,   /* somebody called boundary_unwind(BOUNDARY_STOPPED) */
  BOUNDARY_TRAPPED,   /* the guest did what WebAssembly does not allow; see boundary_trap_reason */
};

/* 1 while the guest runs: the only time at which a signal handler may unwind. */
extern volatile sig_atomic_t boundary_in_guest;

/* Set (by a signal handler, as a rule) to have boundary_on_attention called before the guest runs again. */
extern volatile sig_atomic_t boundary_attention;

/* Called on entry to the guest when boundary_attention was set; the flag is cleared before. May unwind. Never
 * NULL. */
extern void (*boundary_on_attention)(void);

/* A sentence part that says which trap it was, after BOUNDARY_TRAPPED. */
extern const char *boundary_trap_reason;

extern sigjmp_buf boundary_point;

/*
 * Marks the point to unwind to. The signal mask is not saved: that would cost a system call, and whoever
 * unwinds out of a handler wants the stop signals to stay blocked.
 */
#define BOUNDARY_SET() ((enum boundary_return)sigsetjmp(boundary_point, 0))

__attribute__((noreturn)) void boundary_unwind(enum boundary_return how);

/* Abandons the guest for a trap; `reason` continues "the engine stopped: ". */
__attribute__((noreturn)) void boundary_trap(const char *reason);

/*
 * Installs the handler for memory faults. A fault of the guest inside its reservation, or of anybody in the
 * guard below the guest's stack, is a trap; every other fault is a crash of our own, and ends the process by
 * its signal. 0, or -1 with errno.
 */
int boundary_catch_faults(void);

/* Tells where the guest's native stack is, and the guard that lies right below it. */
void boundary_set_stack(const void *guard, size_t guard_bytes, size_t stack_bytes);

/* Where that stack ends, above its first frame. */
uintptr_t boundary_stack_end(void);

/* The flag is read after boundary_in_guest is set: a signal in between finds the guest running, and unwinds
 * itself. */
static inline void boundary_enter(void) {
  boundary_in_guest = 1;
  while (__builtin_expect(boundary_attention, 0)) {
    boundary_in_guest = 0;
    boundary_attention = 0;
    boundary_on_attention();
    boundary_in_guest = 1;
  }
}

static inline void boundary_leave(void) { boundary_in_guest = 0; }

#endif
