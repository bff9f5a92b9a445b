/* Readies an empty engine for programs; see bootstrap.h. */
#include "bootstrap.h"

#include "console_log.h"
#include "guest_values.h"
#include "script.h"

struct bootstrap bootstrap;

static const uint8_t source[] = {
#include "bootstrap_source.h"
};

static const struct {
  const char *name;
  enum guest_kind kind;
} sample_kinds[] = {
    {"array", GUEST_KIND_ARRAY},
    {"error", GUEST_KIND_ERROR},
    {"regexp", GUEST_KIND_REGEXP},
    {"promise", GUEST_KIND_PROMISE},
    {"map", GUEST_KIND_MAP},
    {"set", GUEST_KIND_SET},
    {"weak", GUEST_KIND_WEAK},
    {"binary", GUEST_KIND_BINARY},
    {"number", GUEST_KIND_BOXED_NUMBER},
    {"string", GUEST_KIND_BOXED_STRING},
    {"boolean", GUEST_KIND_BOXED_BOOLEAN},
    {"unfit", GUEST_KIND_BOXED_UNFIT},
};

static guest_value element(guest_value array, uint32_t index) {
  return GUEST_CALL(JS_GetPropertyUint32, engine_context, array, index);
}

static bool is_text(guest_value value, const char *expected) {
  struct guest_text text = guest_text_of(value);
  bool same = text.address && text.length == strlen(expected) &&
              memcmp(guest_bytes(text.address, text.length), expected, text.length) == 0;
  guest_text_free(text);
  return same;
}

/* Learns the classes from the samples: arrays of a kind's name and objects of that kind. */
static bool learn_kinds(guest_value samples) {
  for (uint32_t i = 0; i < sizeof sample_kinds / sizeof *sample_kinds; i++) {
    guest_value row = element(samples, i);
    guest_value name = element(row, 0);
    if (!is_text(name, sample_kinds[i].name)) return false;
    guest_free(name);
    for (uint32_t j = 1;; j++) {
      guest_value sample = element(row, j);
      if (guest_is_undefined(sample)) break;
      guest_learn_kind(sample, sample_kinds[i].kind);
      guest_free(sample);
    }
    guest_free(row);
  }
  return true;
}

static guest_value log_function(void) {
  guest_address name = guest_copy(CONSOLE_LOG_FUNCTION, strlen(CONSOLE_LOG_FUNCTION));
  if (!name) return GUEST_EXCEPTION;
  guest_address box = GUEST_CALL(qjs_new_host_function, name, (u32)strlen(CONSOLE_LOG_FUNCTION), 2u);
  return box ? guest_load_u64(box) : GUEST_EXCEPTION;
}

int bootstrap_run(void) {
  guest_address copy = guest_copy(source, sizeof source);
  if (!copy) return -1;
  guest_value setup = script_evaluate(copy, sizeof source, "bootstrap.js", 1);
  GUEST_RUN(wasm_free, copy);
  guest_value log = log_function();
  if (guest_is_exception(setup) || guest_is_exception(log)) return -1;
  guest_value parts = guest_call(setup, 1, &log);
  if (guest_is_exception(parts)) return -1;
  bootstrap.inspect = guest_own_property(parts, "inspect");
  bootstrap.source_of = guest_own_property(parts, "sourceOf");
  bootstrap.random = guest_own_property(parts, "random");
  guest_value samples = guest_own_property(parts, "samples");
  bool learnt = learn_kinds(samples);
  guest_free(samples);
  guest_free(parts);
  guest_free(setup);
  guest_free(log);
  return learnt ? 0 : -1;
}

int bootstrap_withdraw_features(feature_set features) {
  if (has_feature(features, FEATURE_CONSOLE)) return 0;
  guest_value global = GUEST_CALL(JS_GetGlobalObject, engine_context);
  guest_atom console = guest_atom_of("console");
  s32 status = (s32)GUEST_CALL(JS_DeleteProperty, engine_context, global, console, 0u);
  GUEST_RUN(JS_FreeAtom, engine_context, console);
  guest_free(global);
  return status < 0 ? -1 : 0;
}
