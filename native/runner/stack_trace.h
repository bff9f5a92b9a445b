/* Stacks as the engine writes them: keeps the program's own frames. */
#ifndef WARDENPOOL_STACK_TRACE_H
#define WARDENPOOL_STACK_TRACE_H

#include <stddef.h>

/* Reads a stack into outcome.stack, outcome.line and outcome.column. The text may be anything: a program can
 * write one. */
void stack_trace_read(const char *stack, size_t length);

/* How many lines the program has: no position lies behind them. Call it before. */
void stack_trace_set_lines(unsigned lines);

#endif
