/* The time as the program sees it; see program_clock.h. */
#include "program_clock.h"

#include "clock.h"
#include "guest_values.h"
#include "stop.h"

/* No timer is due later; and sums of it are still whole numbers of milliseconds. */
#define LATEST_MS 1e15

static bool is_virtual;
static double virtual_now; /* milliseconds */

static double read_virtual(void) {
  double time = virtual_now;
  virtual_now += PROGRAM_CLOCK_STEP_MS;
  return time;
}

/* For the engine's own Date. */
static uint64_t date(void) {
  return (uint64_t)(PROGRAM_CLOCK_EPOCH_MS + (int64_t)read_virtual()) * (uint64_t)NANOSECONDS_PER_MILLISECOND;
}

void program_clock_become_virtual(void) {
  is_virtual = true;
  engine_clock = date;
}

bool program_clock_is_virtual(void) { return is_virtual; }

static double elapsed(void) { return (double)stop_elapsed() / (double)NANOSECONDS_PER_MILLISECOND; }

static guest_value number(double value) { return GUEST_CALL(JS_NewNumber, engine_context, value); }

guest_value program_clock_now_call(uint32_t argument_count, guest_address arguments) {
  (void)argument_count;
  (void)arguments;
  return number(is_virtual ? virtual_now : elapsed());
}

guest_value program_clock_read_call(uint32_t argument_count, guest_address arguments) {
  (void)argument_count;
  (void)arguments;
  return number(is_virtual ? read_virtual() : elapsed());
}

guest_value program_clock_elapsed_call(uint32_t argument_count, guest_address arguments) {
  (void)argument_count;
  (void)arguments;
  return number(elapsed());
}

guest_value program_clock_reach_call(uint32_t argument_count, guest_address arguments) {
  double time = argument_count > 0 ? guest_number(guest_argument(arguments, 0)) : 0;
  if (is_virtual && time > virtual_now && time < LATEST_MS) virtual_now = time;
  return GUEST_UNDEFINED;
}

guest_value program_clock_origin_call(uint32_t argument_count, guest_address arguments) {
  (void)argument_count;
  (void)arguments;
  if (is_virtual) return number(PROGRAM_CLOCK_EPOCH_MS);
  return number((double)(clock_read(CLOCK_REALTIME) - stop_elapsed()) / (double)NANOSECONDS_PER_MILLISECOND);
}
