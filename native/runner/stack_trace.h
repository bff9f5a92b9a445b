/* Stacks as the engine writes them: keeps the program's own frames, with their positions in the submitted text. */
#ifndef WARDENPOOL_STACK_TRACE_H
#define WARDENPOOL_STACK_TRACE_H

#include <stddef.h>

/* Reads a stack into outcome.stack, outcome.line and outcome.column. The text may be anything: a program can
 * write one. */
void stack_trace_read(const char *stack, size_t length);

#endif
