/* Log frames: what `console` of the guest sends. Knows nothing of how values are formatted. */
#ifndef WARDENPOOL_CONSOLE_LOG_H
#define WARDENPOOL_CONSOLE_LOG_H

#include "engine.h"

/* The name under which scripts of the bootstrap call it. */
#define CONSOLE_LOG_FUNCTION "log"

/* Called by the engine with a level (0 log, 1 info, 2 warn, 3 error, 4 debug) and a text. Sends a frame while
   the limits of log bytes and of lines last, then one that is cut and says so, then nothing. Gives true while there is
   room for more. */
guest_value console_log_call(uint32_t argument_count, guest_address arguments);

#endif
