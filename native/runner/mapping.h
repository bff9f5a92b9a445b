/* Memory for buffers, mapped before the run and used from its start. Knows nothing of what is in it. */
#ifndef WARDENPOOL_MAPPING_H
#define WARDENPOOL_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

/* Address space of `bytes`, zeroed, that costs memory only where it is touched. NULL with errno. */
void *map_buffer(size_t bytes);

/* The same for something small: lies right behind the one before, so that a clone which uses them all touches
 * few pages. */
void *map_table(size_t bytes);

/* The mappings that there are, from 0 on; false behind the last. */
bool mapping_at(unsigned index, void **start, size_t *length);

#endif
