/*
 * The state behind Math.random, which all clones of one process would share.
 *
 * The engine has no function that seeds it. It is found, once, by predicting what Math.random gives from each
 * word of the engine's context: an engine whose generator is another one, or lies elsewhere, is noticed and
 * refused.
 */
#ifndef WARDENPOOL_RANDOM_STATE_H
#define WARDENPOOL_RANDOM_STATE_H

#include <stdint.h>

/* Finds the state. 0, or -1 if there is none. */
int random_state_find(void);

/* Sets it, so that the numbers repeat. */
void random_state_set(uint64_t state);

/* Replaces it by random bits of the kernel's. 0, or -1 with errno. */
int random_state_reseed(void);

#endif
