/* The functions of the runner that scripts of the bootstrap call: those of `parts.host`, by their names. */
#ifndef WARDENPOOL_HOST_FUNCTIONS_H
#define WARDENPOOL_HOST_FUNCTIONS_H

#include "engine.h"

/* An object with all of them, or GUEST_EXCEPTION. */
guest_value host_functions_object(void);

/* Calls the one of that name, on behalf of the engine. */
guest_value host_functions_call(const char *name, size_t name_length, uint32_t argument_count, guest_address arguments);

#endif
