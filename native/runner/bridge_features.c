/* The extensions of the protocol that this runner grants; see bridge_features.h. */
#include "bridge_features.h"

#include "json_string.h"

#define NAME_FEATURE(name, wire) wire,
static const char *const names[] = {RUNNER_FEATURES(NAME_FEATURE)};
#undef NAME_FEATURE

bool features_read(feature_set *set, struct json_span request) {
  *set = 0;
  if (!json_is_array(request)) return false;
  struct json_walk walk = json_walk(request);
  struct json_span name;
  while (json_next_element(&walk, &name)) {
    if (!json_is_string(name)) return false;
    for (int i = 0; i < FEATURE_COUNT; i++) {
      if (json_string_is(name, names[i])) *set |= (feature_set)1 << i;
    }
  }
  return true;
}

void features_write(feature_set set, struct text *text) {
  const char *separator = "[\"";
  for (int i = 0; i < FEATURE_COUNT; i++) {
    if (!has_feature(set, (enum feature)i)) continue;
    text_raw(text, separator);
    text_raw(text, names[i]);
    separator = "\",\"";
  }
  text_raw(text, set ? "\"]" : "[]");
}
