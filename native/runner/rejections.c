/* Promises that were rejected and that nothing handles; see rejections.h. */
#include "rejections.h"

#include <stdio.h>

#include "bootstrap.h"
#include "bridge.h"
#include "guest_values.h"
#include "outcome.h"

#define KEPT_MAXIMUM 32u

static struct {
  guest_value promise, reason;
} kept[KEPT_MAXIMUM];
static uint32_t kept_count;
static uint64_t others; /* that are only counted */

void rejections_note(guest_value promise, guest_value reason, bool is_handled) {
  if (!has_feature(bridge_execution.features, FEATURE_ERRORS)) return;
  if (!is_handled) {
    if (kept_count == KEPT_MAXIMUM) {
      others++;
      return;
    }
    kept[kept_count].promise = promise;
    kept[kept_count++].reason = reason;
    (void)GUEST_CALL(JS_DupValue, engine_context, promise);
    (void)GUEST_CALL(JS_DupValue, engine_context, reason);
    return;
  }
  uint32_t at = 0;
  while (at < kept_count && kept[at].promise != promise) at++;
  if (at == kept_count) {
    if (others > 0) others--;
    return;
  }
  guest_value old_promise = kept[at].promise, old_reason = kept[at].reason;
  kept_count--;
  for (uint32_t i = at; i < kept_count; i++) kept[i] = kept[i + 1];
  guest_free(old_promise);
  guest_free(old_reason);
}

static void warn(const char *start, guest_value reason) {
  struct outcome_text *message = &outcome.warnings[outcome.warning_count++];
  outcome_set(message, start, strlen(start));
  guest_value shown = guest_call(bootstrap.rejection, 1, &reason);
  struct guest_text text = {0, 0};
  if (!guest_is_exception(shown)) text = guest_text_of(shown);
  if (text.address) {
    outcome_append(message, guest_bytes(text.address, text.length), text.length);
  } else {
    guest_free(guest_take_exception());
  }
  guest_text_free(text);
  guest_free(shown);
}

void rejections_report(guest_value program) {
  uint64_t left = others;
  for (uint32_t i = 0; i < kept_count; i++) {
    if (kept[i].promise == program) continue;
    if (outcome.warning_count < OUTCOME_WARNINGS_MAXIMUM - 1) {
      warn("a promise was rejected, and nothing handles that: ", kept[i].reason);
    } else {
      left++;
    }
  }
  if (left == 0) return;
  char message[96];
  int length = snprintf(message, sizeof message, "%llu more promises were rejected, and nothing handles that",
                        (unsigned long long)left);
  outcome_set(&outcome.warnings[outcome.warning_count++], message, (size_t)length);
}
