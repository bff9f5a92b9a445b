/* Evaluates source text in the engine. */
#ifndef WARDENPOOL_SCRIPT_H
#define WARDENPOOL_SCRIPT_H

#include "engine.h"

/* Evaluates `length` bytes of guest memory, with a NUL behind them, as a strict script, whose first line has
   the number `line`. Its completion value, or GUEST_EXCEPTION. */
guest_value script_evaluate(guest_address source, size_t length, const char *file, int32_t line);

#endif
