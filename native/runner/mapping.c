/* Memory for buffers; see mapping.h. */
#include "mapping.h"

#include <stdint.h>

#include "address_space.h"

#define TABLES_BYTES ((size_t)64 << 10) /* address space; what does not fit gets a mapping of its own */

#define MAPPINGS_MAXIMUM 32

static struct {
  void *start;
  size_t length;
} mappings[MAPPINGS_MAXIMUM];
static unsigned mapping_count;

bool mapping_at(unsigned index, void **start, size_t *length) {
  if (index >= mapping_count) return false;
  *start = mappings[index].start;
  *length = mappings[index].length;
  return true;
}

void *map_buffer(size_t bytes) {
  void *start = address_space_buffer(bytes);
  if (!start) return NULL;
  if (mapping_count < MAPPINGS_MAXIMUM) {
    mappings[mapping_count].start = start;
    mappings[mapping_count++].length = bytes;
  }
  return start;
}

void *map_table(size_t bytes) {
  static uint8_t *tables;
  static size_t used;
  bytes = (bytes + 15) & ~(size_t)15;
  if (bytes > TABLES_BYTES - used) return map_buffer(bytes);
  if (!tables) tables = map_buffer(TABLES_BYTES);
  if (!tables) return NULL;
  used += bytes;
  return tables + used - bytes;
}
