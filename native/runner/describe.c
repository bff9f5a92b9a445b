/* What a program threw, put into words; see describe.h. */
#include "describe.h"

#include "bootstrap.h"
#include "guest_values.h"
#include "outcome.h"
#include "stack_trace.h"

/* A property that should be a string, appended to `target`; false if it is none or cannot be read. */
static bool take_property(guest_value object, guest_atom name, struct outcome_text *target) {
  guest_value value = GUEST_CALL(JS_GetProperty, engine_context, object, name);
  if (guest_is_exception(value)) {
    guest_free(guest_take_exception());
    return false;
  }
  bool taken = false;
  if (guest_is_string(value)) {
    struct guest_text text = guest_text_of(value);
    if (text.address) {
      outcome_append(target, guest_bytes(text.address, text.length), text.length);
      taken = text.length > 0;
    } else {
      guest_free(guest_take_exception());
    }
    guest_text_free(text);
  }
  guest_free(value);
  return taken;
}

static void take_stack(guest_value error) {
  guest_value value = GUEST_CALL(JS_GetProperty, engine_context, error, guest_names.stack);
  if (guest_is_exception(value)) guest_free(guest_take_exception());
  if (!guest_is_string(value)) {
    guest_free(value);
    return;
  }
  struct guest_text text = guest_text_of(value);
  if (text.address) {
    stack_trace_read((const char *)guest_bytes(text.address, text.length), text.length);
  } else {
    guest_free(guest_take_exception());
  }
  guest_text_free(text);
  guest_free(value);
}

/* Appends what a function of the bootstrap says of a value. */
static void append_text(guest_value function, guest_value value) {
  guest_value shown = guest_call(function, 1, &value);
  struct guest_text text = {0, 0};
  if (!guest_is_exception(shown)) text = guest_text_of(shown);
  if (text.address) {
    outcome_append(&outcome.message, guest_bytes(text.address, text.length), text.length);
  } else {
    guest_free(guest_take_exception());
  }
  guest_text_free(text);
  guest_free(shown);
}

static bool is_error(guest_value thrown) {
  if (!guest_is_object(thrown)) return false;
  enum guest_kind kind = guest_kind_of(thrown);
  return kind == GUEST_KIND_ERROR || kind == GUEST_KIND_DOM_EXCEPTION;
}

void describe_thrown(guest_value thrown) {
  static const char no_error[] = "the program threw a value that is no Error: ";
  outcome_fail("javascript", "%s", "");
  if (!is_error(thrown)) {
    outcome_append(&outcome.message, no_error, sizeof no_error - 1);
    append_text(bootstrap.inspect, thrown);
    return;
  }
  (void)take_property(thrown, guest_names.name, &outcome.name);
  if (!take_property(thrown, guest_names.message, &outcome.message)) {
    static const char no_message[] = "the program threw an error without a message: ";
    static const char no_name[] = "it has no name either";
    outcome_set(&outcome.message, no_message, sizeof no_message - 1);
    if (outcome.name.length == 0) outcome_append(&outcome.message, no_name, sizeof no_name - 1);
    outcome_append(&outcome.message, outcome.name.bytes, outcome.name.length);
  }
  append_text(bootstrap.causes, thrown);
  (void)take_property(thrown, guest_names.code, &outcome.own_code);
  take_stack(thrown);
}
