/* Why a run must end early, and how that is noticed; see stop.h. */
#include "stop.h"

#include <stddef.h>
#include <sys/time.h>

#include "boundary.h"
#include "clock.h"

/* CPU time is looked at this often at most, so that the last microseconds of a budget do not become a storm
 * of signals. */
#define SHORTEST_TICK_NS INT64_C(100000)

volatile sig_atomic_t stop_causes;
const char *volatile stop_protocol_detail = "";
sigset_t stop_wait_mask;

static sigset_t stop_signals;
static void (*look_at_host)(void);
static bool clock_started;
static int64_t started_at, deadline;
static int64_t cpu_deadline; /* INT64_MAX: none */
static volatile sig_atomic_t tick_lapsed; /* the timer fired outside the guest, and was not set again */

void stop_record(enum stop_cause cause) {
  stop_causes |= (int)cause;
  boundary_attention = 1;
}

void stop_protocol_failure(const char *detail) {
  if (!(stop_causes & STOP_PROTOCOL)) stop_protocol_detail = detail;
  stop_record(STOP_PROTOCOL);
}

int64_t stop_elapsed(void) { return clock_started ? clock_monotonic() - started_at : 0; }

int64_t stop_time_left(void) {
  int64_t left = deadline - clock_monotonic();
  if (left > 0) return left;
  stop_record(STOP_WALL_TIME);
  return 0;
}

static int64_t cpu_time_left(void) {
  if (cpu_deadline == INT64_MAX) return INT64_MAX;
  int64_t left = cpu_deadline - clock_cpu();
  if (left > 0) return left;
  stop_record(STOP_CPU_TIME);
  return 0;
}

/* Sets the timer to the next moment at which something may have to be done. */
static void set_tick(void) {
  int64_t next = STOP_TICK_NS;
  int64_t wall = stop_time_left();
  int64_t cpu = cpu_time_left();
  if (wall < next) next = wall;
  if (cpu < next) next = cpu < SHORTEST_TICK_NS ? SHORTEST_TICK_NS : cpu;
  if (next == 0) return; /* the deadline has passed: the cause is recorded */
  struct itimerval timer = {.it_value = {.tv_sec = 0, .tv_usec = (suseconds_t)((next + 999) / 1000)}};
  (void)setitimer(ITIMER_REAL, &timer, NULL); /* cannot fail with these arguments */
}

static void on_attention(void) {
  if (stop_causes) boundary_unwind(BOUNDARY_STOPPED);
  if (tick_lapsed) {
    tick_lapsed = 0;
    set_tick();
    if (stop_causes) boundary_unwind(BOUNDARY_STOPPED);
  }
}

static void on_tick(int signal_number) {
  (void)signal_number;
  if (!boundary_in_guest) {
    tick_lapsed = 1;
    boundary_attention = 1;
    return;
  }
  set_tick();
  if (!stop_causes) look_at_host();
  if (stop_causes) boundary_unwind(BOUNDARY_STOPPED);
}

static void on_cancel(int signal_number) {
  stop_record(signal_number == SIGXCPU ? STOP_CPU_TIME : STOP_CANCELLED);
  if (boundary_in_guest) boundary_unwind(BOUNDARY_STOPPED);
}

int stop_install(void (*look)(void)) {
  look_at_host = look;
  boundary_on_attention = on_attention;
  static const int cancelling[] = {SIGTERM, SIGINT, SIGXCPU};
  (void)sigemptyset(&stop_wait_mask);
  (void)sigemptyset(&stop_signals);
  (void)sigaddset(&stop_signals, SIGALRM);
  for (size_t i = 0; i < sizeof cancelling / sizeof *cancelling; i++)
    (void)sigaddset(&stop_signals, cancelling[i]);
  /* They block each other: two unwinds must not meet. */
  struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_ONSTACK, .sa_mask = stop_signals};
  struct sigaction cancel = {.sa_handler = on_cancel, .sa_flags = SA_ONSTACK, .sa_mask = stop_signals};
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  if (sigaction(SIGALRM, &tick, NULL) != 0) return -1;
  for (size_t i = 0; i < sizeof cancelling / sizeof *cancelling; i++) {
    if (sigaction(cancelling[i], &cancel, NULL) != 0) return -1;
  }
  return sigaction(SIGPIPE, &ignore, NULL); /* a host that is gone is an error of write() */
}

void stop_block_signals(void) { (void)sigprocmask(SIG_BLOCK, &stop_signals, NULL); }
void stop_unblock_signals(void) { (void)sigprocmask(SIG_UNBLOCK, &stop_signals, NULL); }

void stop_start_clock(uint64_t wall_ms, uint64_t cpu_ms) {
  started_at = clock_monotonic();
  deadline = started_at + clock_from_milliseconds(wall_ms);
  cpu_deadline = cpu_ms == 0 ? INT64_MAX : clock_cpu() + clock_from_milliseconds(cpu_ms);
  clock_started = true;
  set_tick();
}
