/* Readies an empty engine for programs; see bootstrap.h. */
#include "bootstrap.h"

#include "diagnostics.h"
#include "guest_values.h"
#include "host_functions.h"
#include "script.h"

struct bootstrap bootstrap;

/* The scripts of guest/, in the order in which they run. */
static const struct script {
  const char *file;
  size_t length;
  const uint8_t *text;
} scripts[] = {
#include "bootstrap_scripts.h"
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
    {"date", GUEST_KIND_DATE},
    {"exception", GUEST_KIND_DOM_EXCEPTION},
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

/* The object that the scripts share, with the functions of the host in it. */
static guest_value make_parts(void) {
  guest_value parts = GUEST_CALL(JS_NewObjectProto, engine_context, GUEST_NULL);
  if (guest_is_exception(parts) || !guest_define(parts, "host", host_functions_object())) return GUEST_EXCEPTION;
  return parts;
}

/* Says which script failed, and why: this is met by whoever changes one, or changes the engine. */
static void describe_failure(const char *file) {
  guest_value error = guest_take_exception();
  struct guest_text text = guest_text_of(error);
  int length = text.address ? (int)text.length : 0;
  diagnose("%s: %.*s", file, length, text.address ? (const char *)guest_bytes(text.address, text.length) : "");
  guest_text_free(text);
  guest_free(error);
}

/* A script evaluates to a function, which does its work. */
static bool run_script(const struct script *script, guest_value parts) {
  guest_address copy = guest_copy(script->text, script->length);
  if (!copy) return false;
  guest_value function = script_evaluate(copy, script->length, script->file, 1);
  GUEST_RUN(wasm_free, copy);
  if (guest_is_exception(function)) return false;
  guest_value result = guest_call(function, 1, &parts);
  guest_free(function);
  if (guest_is_exception(result)) return false;
  guest_free(result);
  return true;
}

int bootstrap_run(void) {
  guest_value parts = make_parts();
  if (guest_is_exception(parts)) return -1;
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
    if (!run_script(&scripts[i], parts)) {
      describe_failure(scripts[i].file);
      return -1;
    }
  }
  bootstrap.inspect = guest_own_property(parts, "inspect");
  bootstrap.causes = guest_own_property(parts, "causes");
  bootstrap.rejection = guest_own_property(parts, "rejection");
  bootstrap.time_of = guest_own_property(parts, "timeOf");
  bootstrap.source_of = guest_own_property(parts, "sourceOf");
  bootstrap.random = guest_own_property(parts, "random");
  bootstrap.add_tool_paths = guest_own_property(parts, "addToolPaths");
  bootstrap.next_timer = guest_own_property(parts, "nextTimer");
  bootstrap.run_timer = guest_own_property(parts, "runTimer");
  guest_value samples = guest_own_property(parts, "samples");
  bool learnt = learn_kinds(samples);
  guest_free(samples);
  guest_free(parts);
  return learnt ? 0 : -1;
}

/* The globals of each feature that has some. */
static const struct {
  enum feature feature;
  const char *name;
} globals[] = {
    {FEATURE_CONSOLE, "console"},
    {FEATURE_TIMERS, "setTimeout"},
    {FEATURE_TIMERS, "setInterval"},
    {FEATURE_TIMERS, "clearTimeout"},
    {FEATURE_TIMERS, "clearInterval"},
    {FEATURE_TIMERS, "queueMicrotask"},
    {FEATURE_WEB, "structuredClone"},
    {FEATURE_WEB, "URL"},
    {FEATURE_WEB, "URLSearchParams"},
    {FEATURE_WEB, "TextEncoder"},
    {FEATURE_WEB, "TextDecoder"},
    {FEATURE_WEB, "atob"},
    {FEATURE_WEB, "btoa"},
    {FEATURE_WEB, "crypto"},
    {FEATURE_WEB, "performance"},
    {FEATURE_WEB, "DOMException"},
};

int bootstrap_withdraw_features(feature_set features) {
  guest_value global = GUEST_CALL(JS_GetGlobalObject, engine_context);
  s32 status = 0;
  for (size_t i = 0; i < sizeof globals / sizeof *globals && status >= 0; i++) {
    if (has_feature(features, globals[i].feature)) continue;
    guest_atom name = guest_atom_of(globals[i].name);
    status = (s32)GUEST_CALL(JS_DeleteProperty, engine_context, global, name, 0u);
    GUEST_RUN(JS_FreeAtom, engine_context, name);
  }
  guest_free(global);
  return status < 0 ? -1 : 0;
}
