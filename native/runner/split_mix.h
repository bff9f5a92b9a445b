/* SplitMix64: a sequence of 64-bit numbers that look random, from one number. Knows nothing else; keeps no secrets. */
#ifndef WARDENPOOL_SPLIT_MIX_H
#define WARDENPOOL_SPLIT_MIX_H

#include <stdint.h>

static inline uint64_t split_mix_next(uint64_t *state) {
  uint64_t mixed = *state += UINT64_C(0x9E3779B97F4A7C15);
  mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
  return mixed ^ mixed >> 31;
}

#endif
