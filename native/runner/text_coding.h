/* UTF-8 for the guest's TextEncoder and TextDecoder. Knows nothing of streams, labels or byte order marks. */
#ifndef WARDENPOOL_TEXT_CODING_H
#define WARDENPOOL_TEXT_CODING_H

#include "engine.h"

/* The names under which scripts of the bootstrap call these: `encodeUtf8(string)` gives a Uint8Array, with U+FFFD for lone
 * surrogates; `decodeUtf8(uint8Array, fatal)` a string, with U+FFFD for each longest part that may begin a character and
 * does not go on as one, or, if `fatal` is true and there is such a part, undefined. */
#define TEXT_ENCODE_FUNCTION "encodeUtf8"
#define TEXT_DECODE_FUNCTION "decodeUtf8"
guest_value text_coding_encode_call(uint32_t argument_count, guest_address arguments);
guest_value text_coding_decode_call(uint32_t argument_count, guest_address arguments);

#endif
