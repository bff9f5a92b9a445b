/*
 * Why a run must end before it has settled, and how that is noticed in every state.
 *
 * A cause, once recorded, stays. While the guest runs, a cause unwinds it at once; otherwise it is taken on
 * the next entry to the guest, or by the next wait. Wall time, CPU time and the host (a `cancel`, an EOF) are
 * looked at by one timer that ticks only while the guest is busy: a run that waits for its tools, and every
 * run shorter than a tick, costs no signal at all.
 *
 * Why a tick, and not SIGIO on the descriptor: SIGIO would interrupt at every tool result, and cost each
 * clone three calls of fcntl; a tick costs short runs nothing, and finds a `cancel` within STOP_TICK_NS.
 *
 * Why one real-time timer for the CPU limit too, and not ITIMER_PROF: that one counts in whole ticks of the
 * scheduler, up to 10 ms; and CPU time is used up no faster than wall time passes, so a tick that is set to
 * what is left of it never comes late.
 */
#ifndef WARDENPOOL_STOP_H
#define WARDENPOOL_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* In the order in which they are reported when several apply. */
enum stop_cause {
  STOP_CALL_LIMIT = 1 << 0,  /* one tool call more than allowed */
  STOP_CANCELLED = 1 << 1,   /* `cancel`, EOF, SIGTERM, SIGINT */
  STOP_WALL_TIME = 1 << 2,
  STOP_CPU_TIME = 1 << 3,
  STOP_PROTOCOL = 1 << 4,    /* the host broke the protocol; see stop_protocol_failure() */
  STOP_HOST_LOST = 1 << 5,   /* nothing can be sent any more */
};

/* How long a `cancel` may go unnoticed while the guest is busy. Most runs are over before, even where many share a CPU. */
#define STOP_TICK_NS INT64_C(50000000)

/* All causes that were recorded. */
extern volatile sig_atomic_t stop_causes;

/* What the host did wrong, after STOP_PROTOCOL. */
extern const char *volatile stop_protocol_detail;

/* The mask for waits: the stop signals are delivered, whatever is blocked outside of the wait. */
extern sigset_t stop_wait_mask;

/* Installs the handlers. `look_at_host` is called on each tick, inside the signal handler, while the guest is
   suspended. 0, or -1 with errno. */
int stop_install(void (*look_at_host)(void));

/* Records a cause. Async-signal-safe. */
void stop_record(enum stop_cause cause);
void stop_protocol_failure(const char *detail);

/* Blocks the stop signals, so that a wait can check the causes first; and unblocks them. */
void stop_block_signals(void);
void stop_unblock_signals(void);

/* Starts both limits now; 0 CPU milliseconds: no limit. Ticks begin. */
void stop_start_clock(uint64_t wall_ms, uint64_t cpu_ms);

/* Nanoseconds since stop_start_clock(). */
int64_t stop_elapsed(void);

/* Nanoseconds until the deadline, not below 0; records STOP_WALL_TIME when there are none left. */
int64_t stop_time_left(void);

#endif
