/* Runs that can be repeated; see seed.h. */
#include "seed.h"

#include "json_string.h"
#include "program_clock.h"
#include "random_bytes.h"
#include "random_state.h"
#include "split_mix.h"

/* FNV-1a, of the decoded string. */
static uint64_t hash_of(struct json_span string) {
  uint64_t hash = UINT64_C(14695981039346656037);
  struct json_string_reader reader = json_string_open(string);
  for (int byte = json_string_next(&reader); byte >= 0; byte = json_string_next(&reader))
    hash = (hash ^ (uint64_t)byte) * UINT64_C(1099511628211);
  return hash;
}

void seed_apply(struct json_span seed) {
  uint64_t state = hash_of(seed);
  random_state_set(split_mix_next(&state));
  random_bytes_seed(split_mix_next(&state));
  program_clock_become_virtual();
}
