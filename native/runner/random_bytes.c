/* Random bytes for the guest's `crypto`; see random_bytes.h. */
#include "random_bytes.h"

#include <stdbool.h>
#include <sys/random.h>

#include "guest_values.h"
#include "split_mix.h"

/* getrandom() fills at most this many without being interruptible. */
#define UNINTERRUPTED_BYTES 256u

/* As guest/crypto.js has it: so that no deadline waits long for the last of them. */
#define REQUEST_MAXIMUM_BYTES 65536u

static bool is_seeded;
static uint64_t state;

void random_bytes_seed(uint64_t seed) {
  is_seeded = true;
  state = seed;
}

static size_t fill(uint8_t *bytes, size_t length) {
  if (!is_seeded) {
    ssize_t got = getrandom(bytes, length < UNINTERRUPTED_BYTES ? length : UNINTERRUPTED_BYTES, 0);
    return got > 0 ? (size_t)got : 0;
  }
  uint64_t word = split_mix_next(&state);
  size_t count = length < sizeof word ? length : sizeof word;
  memcpy(bytes, &word, count);
  return count;
}

guest_value random_bytes_call(uint32_t argument_count, guest_address arguments) {
  if (argument_count < 1) return GUEST_UNDEFINED;
  struct guest_span span = guest_uint8_array(guest_argument(arguments, 0));
  if (span.length > REQUEST_MAXIMUM_BYTES) boundary_trap("it wanted more random bytes at once than it may have");
  uint8_t *bytes = span.length > 0 ? guest_bytes(span.address, span.length) : NULL;
  for (size_t filled = 0; filled < span.length;) {
    size_t count = fill(bytes + filled, span.length - filled);
    if (count == 0) boundary_trap("the system gave it no random bytes");
    filled += count;
  }
  return GUEST_UNDEFINED;
}
