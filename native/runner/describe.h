/* What a program threw, put into words: name, message, code, stack and position, whatever value it is. */
#ifndef WARDENPOOL_DESCRIBE_H
#define WARDENPOOL_DESCRIBE_H

#include "engine.h"

/* The name of the file that the program's text is, in stacks. */
#define PROGRAM_FILE "program.js"

/* The name of the function around it; stacks that are reported do not show it. */
#define PROGRAM_FUNCTION "__program__"

/* Makes the outcome the failure of a program that threw `thrown`, which stays the caller's. May run code of
 * the program. */
void describe_thrown(guest_value thrown);

#endif
