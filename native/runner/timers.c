/* When the program's timers are due, and running them; see timers.h. */
#include "timers.h"

#include "bootstrap.h"
#include "bridge.h"
#include "clock.h"
#include "guest_values.h"
#include "program_clock.h"
#include "stop.h"

int64_t timers_next(void) {
  if (!has_feature(bridge_execution.features, FEATURE_TIMERS)) return TIMERS_NEVER;
  /* How long a tool takes is nothing that a virtual clock could know: there, it takes no time. */
  if (program_clock_is_virtual() && bridge_open_calls() > 0) return TIMERS_NEVER;
  guest_value next = guest_call(bootstrap.next_timer, 0, NULL);
  if (guest_is_undefined(next)) return TIMERS_NEVER;
  /* Cannot throw or give anything else; no memory for the call means that the next one fails, too. */
  if (guest_is_exception(next)) guest_free(guest_take_exception());
  double wake = guest_is_exception(next) ? 0 : guest_number(next);
  return clock_monotonic() - stop_elapsed() + clock_from_number(wake);
}

bool timers_run_next(void) {
  guest_value done = guest_call(bootstrap.run_timer, 0, NULL);
  guest_free(done);
  return !guest_is_exception(done);
}
