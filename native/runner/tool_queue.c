/* Tool calls that wait for their turn; see tool_queue.h. */
#include "tool_queue.h"

#include "bridge.h"
#include "guest_values.h"

#define ELEMENTS_PER_CALL 5u

static guest_value queue; /* made when it is needed first: few programs queue anything */
static uint32_t first, last; /* calls, since the beginning */

uint32_t tool_queue_length(void) { return last - first; }

static bool put(uint32_t index, guest_value value) {
  /* Defined, not assigned: a program may have put a setter on Array.prototype. */
  return (s32)GUEST_CALL(JS_DefinePropertyValueUint32, engine_context, queue, index, value,
                         GUEST_CONFIGURABLE | GUEST_WRITABLE | GUEST_ENUMERABLE) >= 0;
}

bool tool_queue_push(uint32_t tool, guest_value arguments, const struct pending_call *call) {
  if (queue == 0) queue = GUEST_CALL(JS_NewArray, engine_context);
  if (guest_is_exception(queue)) return false;
  uint32_t at = last * ELEMENTS_PER_CALL;
  if (!put(at, GUEST_VALUE(GUEST_TAG_INT, tool)) || !put(at + 1, arguments) || !put(at + 2, call->resolve) ||
      !put(at + 3, call->reject) || !put(at + 4, call->error)) {
    return false;
  }
  last++;
  return true;
}

/* Takes an element out of the array. */
static guest_value take(uint32_t index) {
  guest_value value = GUEST_CALL(JS_GetPropertyUint32, engine_context, queue, index);
  (void)put(index, GUEST_UNDEFINED); /* replaces a value by a smaller one: cannot fail */
  return value;
}

bool tool_queue_shift(uint32_t *tool, guest_value *arguments, struct pending_call *call) {
  if (first == last) return false;
  uint32_t at = first * ELEMENTS_PER_CALL;
  first++;
  *tool = (uint32_t)take(at);
  *arguments = take(at + 1);
  call->resolve = take(at + 2);
  call->reject = take(at + 3);
  call->error = take(at + 4);
  if (*tool >= bridge_execution.tool_count || !guest_is_string(*arguments))
    boundary_trap("it changed a call that waited for its turn");
  return true;
}
