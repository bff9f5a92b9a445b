/* What a fuzz target claims: a sentence that must be true, or the input that made it false is a finding. */
#ifndef WARDENPOOL_CLAIM_H
#define WARDENPOOL_CLAIM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline void claim(bool is_true, const char *sentence) {
  if (is_true) return;
  fprintf(stderr, "the claim is false: %s\n", sentence);
  abort();
}

#endif
