/*
 * A second opinion on JSON, for the fuzz targets: what RFC 8259 and code-bridge-v1 accept, written for clarity and not
 * for speed, and sharing no line with native/runner.
 */
#ifndef WARDENPOOL_JSON_ORACLE_H
#define WARDENPOOL_JSON_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether the text is one JSON object in valid UTF-8, without a key that an object has twice, nested at most 512 levels.
 * Time is quadratic in the number of keys of an object.
 */
bool json_oracle_accepts(const uint8_t *text, size_t length);

/*
 * Decodes the string at `text`, quotes included, to UTF-16 code units. `units` has room for `length` of them. How many
 * there are.
 */
size_t json_oracle_decode(const uint8_t *text, size_t length, uint16_t *units);

#endif
