/*
 * Runs that can be repeated: with a seed, nothing that a program can observe comes from anywhere but the program, the seed
 * and the tools' results. Math.random and `crypto` follow from the seed; Date and `performance` read the virtual clock of
 * program_clock.h; timers are ordered by it, and wait, without missing their real time, until every open tool call has been
 * answered. So two runs that get the same results in the same order send the same frames, but for the execution's id and
 * the time that it took.
 *
 * Garbage collection is no exception: weak references and finalizers follow from reference counts and the number of
 * allocations, both of which repeat. What does not repeat is where a limit of time ends a run.
 */
#ifndef WARDENPOOL_SEED_H
#define WARDENPOOL_SEED_H

#include "json_scan.h"

/* Starts everything from the seed: a string of JSON. Equal strings are equal seeds, however they are written. */
void seed_apply(struct json_span seed);

#endif
