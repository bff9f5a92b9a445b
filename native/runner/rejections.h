/*
 * Promises that were rejected and that nothing handles: each becomes a warning of the outcome. Knows no frames.
 */
#ifndef WARDENPOOL_REJECTIONS_H
#define WARDENPOOL_REJECTIONS_H

#include <stdbool.h>

#include "engine.h"

/* Called by the engine when a promise is rejected that has no handler, and when one of those gets its first. */
void rejections_note(guest_value promise, guest_value reason, bool is_handled);

/* Makes warnings of those that are left, but for `program`, the promise whose rejection is the outcome itself. */
void rejections_report(guest_value program);

#endif
