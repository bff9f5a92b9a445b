/* The engine's own word for its version, copied out of the guest once. */
#include <stdio.h>

#include "engine.h"
#include "runner.h"

const char *runner_engine_version(void) {
  static char version[48];
  if (version[0] || BOUNDARY_SET() != BOUNDARY_FIRST) return version;
  guest_address text = GUEST_CALL(JS_GetVersion);
  size_t length = 0;
  while (length < sizeof version - 1 && *guest_bytes(text + (guest_address)length, 1)) length++;
  snprintf(version, sizeof version, "%.*s", (int)length, (const char *)guest_bytes(text, length));
  return version;
}
