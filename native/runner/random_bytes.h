/* Random bytes for the guest's `crypto`: of the kernel, or, for runs with a seed, of a generator that it starts. */
#ifndef WARDENPOOL_RANDOM_BYTES_H
#define WARDENPOOL_RANDOM_BYTES_H

#include "engine.h"

/* From now on the bytes follow from this number. They are no secret then. */
void random_bytes_seed(uint64_t seed);

/* The name under which scripts of the bootstrap call it: `randomBytes(uint8Array)` fills the array. */
#define RANDOM_BYTES_FUNCTION "randomBytes"
guest_value random_bytes_call(uint32_t argument_count, guest_address arguments);

#endif
