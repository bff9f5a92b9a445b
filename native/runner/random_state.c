/* The state behind Math.random; see random_state.h. */
#include "random_state.h"

#include <errno.h>
#include <sys/random.h>

#include "bootstrap.h"
#include "guest_values.h"

/* More than the engine's context has. */
#define CONTEXT_WORDS 128u

static guest_address state_at;

/* xorshift64*: the next state. */
static uint64_t advance(uint64_t state) {
  state ^= state >> 12;
  state ^= state << 25;
  return state ^ state >> 27;
}

/* The number between 0 and 1 that the engine makes of a state. */
static double number_of(uint64_t state) {
  uint64_t bits = UINT64_C(0x3ff) << 52 | (state * UINT64_C(0x2545F4914F6CDD1D)) >> 12;
  double number;
  memcpy(&number, &bits, sizeof number);
  return number - 1.0;
}

static double draw(void) {
  return guest_number(guest_call(bootstrap.random, 0, NULL));
}

int random_state_find(void) {
  uint64_t words[CONTEXT_WORDS];
  memcpy(words, guest_bytes(engine_context, sizeof words), sizeof words);
  double drawn = draw();
  guest_address found = 0;
  for (uint32_t i = 0; i < CONTEXT_WORDS; i++) {
    if (words[i] == 0 || number_of(advance(words[i])) != drawn) continue;
    if (found) return -1; /* two words that fit 52 bits: no chance does that */
    found = engine_context + i * 8;
  }
  /* Setting it must make the next number come out as predicted. */
  if (!found) return -1;
  guest_store_u64(found, UINT64_C(0x9E3779B97F4A7C15));
  if (draw() != number_of(advance(UINT64_C(0x9E3779B97F4A7C15)))) return -1;
  state_at = found;
  return 0;
}

/* A generator of this kind never leaves zero. */
void random_state_set(uint64_t state) { guest_store_u64(state_at, state ? state : 1); }

int random_state_reseed(void) {
  uint64_t seed;
  ssize_t got = getrandom(&seed, sizeof seed, 0);
  if (got != (ssize_t)sizeof seed) {
    if (got >= 0) errno = EIO;
    return -1;
  }
  random_state_set(seed);
  return 0;
}
