/* Whether the keys of one object repeat. Knows only keys. */
#ifndef WARDENPOOL_JSON_KEY_SET_H
#define WARDENPOOL_JSON_KEY_SET_H

#include "json_scan.h"

/* The entry for the key at `key` inside `text`. Keys that decode to the same string have the same hash. */
struct json_key json_key_of(const uint8_t *text, struct json_span key);

/* Whether two of the keys decode to the same string. Reorders them. Time n log n, also for keys chosen to
 * collide. */
bool json_has_repeated_key(const uint8_t *text, struct json_key *keys, size_t count);

#endif
