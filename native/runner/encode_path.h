/* Where an encoding has got to: the open objects and arrays, and the path that names the current place. */
#ifndef WARDENPOOL_ENCODE_PATH_H
#define WARDENPOOL_ENCODE_PATH_H

#include <stddef.h>

#include "engine.h"

struct encode_level {
  guest_value container;
  uint64_t index, count; /* of elements, or of names */
  guest_address names;   /* of an object: the engine's table of property names */
  bool is_array;
  bool wrote; /* something inside: the next thing needs a comma */
};

/* The name of the property at level->index. */
guest_atom encode_level_atom(const struct encode_level *level);

/* The key that is being encoded, as toJSON gets it: '' at the top. The caller's. */
guest_value encode_level_key(const struct encode_level *levels, uint32_t depth);

/* The path of the value that is being encoded, such as `$.items[3].total`; cut, with dots, if it is long. */
void encode_path_write(const struct encode_level *levels, uint32_t depth, char *path, size_t size);

#endif
