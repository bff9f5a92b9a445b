/* Linear memory, tables, function types and traps of the translated module; see wasm_runtime.h. */
#include "wasm_runtime.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "address_space.h"
#include "boundary.h"

#define TYPES_MAXIMUM 256
#define SIGNATURE_MAXIMUM 32

struct function_type {
  uint8_t parameters, results;
  uint8_t signature[SIGNATURE_MAXIMUM];
};

/* The start of the reservation. Not static, since the translated engine reads it by way of memory_base.h; not
   included here, as that calls constant what this file sets. */
uint8_t *wasm_runtime_base;
static uint64_t mapped_bytes;
static struct function_type types[TYPES_MAXIMUM];
static uint32_t type_count;
static wasm_rt_funcref_t *table;
static size_t table_bytes;

int wasm_runtime_reserve(uint64_t ceiling_bytes) {
  if (wasm_runtime_base || ceiling_bytes > WASM_MEMORY_MAXIMUM_BYTES) {
    errno = EINVAL;
    return -1;
  }
  uint64_t ceiling = (ceiling_bytes + WASM_PAGE_BYTES - 1) / WASM_PAGE_BYTES * WASM_PAGE_BYTES;
  uint8_t *start = address_space_linear_memory(ceiling);
  if (!start) return -1;
  wasm_runtime_base = start;
  mapped_bytes = ceiling;
  return 0;
}

void wasm_runtime_set_limit(wasm_rt_memory_t *memory, uint64_t limit_bytes) {
  uint64_t limit = limit_bytes < mapped_bytes ? limit_bytes : mapped_bytes;
  uint32_t pages = (uint32_t)(limit / WASM_PAGE_BYTES);
  memory->max_pages = pages > memory->pages ? pages : memory->pages;
}

int wasm_runtime_extend_table(wasm_rt_funcref_table_t *funcrefs, uint32_t elements) {
  size_t bytes = table_bytes + (size_t)elements * sizeof(wasm_rt_funcref_t);
  void *start = mremap(table, table_bytes, bytes, MREMAP_MAYMOVE);
  if (start == MAP_FAILED) return -1;
  table = start;
  table_bytes = bytes;
  funcrefs->data = table;
  funcrefs->size += elements;
  funcrefs->max_size = funcrefs->size;
  return 0;
}

int wasm_runtime_seal(void) { return mprotect(table, table_bytes, PROT_READ); }

bool wasm_runtime_owns(uintptr_t address) {
  return wasm_runtime_base && address - (uintptr_t)wasm_runtime_base < ADDRESS_SPACE_LINEAR_BYTES;
}

void wasm_rt_init(void) {}

bool wasm_rt_is_initialized(void) { return wasm_runtime_base != NULL; }

void wasm_rt_trap(wasm_rt_trap_t trap) { boundary_trap(wasm_rt_strerror(trap)); }

const char *wasm_rt_strerror(wasm_rt_trap_t trap) {
  switch (trap) {
    case WASM_RT_TRAP_OOB: return "it reached outside its memory";
    case WASM_RT_TRAP_INT_OVERFLOW: return "an integer overflowed";
    case WASM_RT_TRAP_DIV_BY_ZERO: return "it divided by zero";
    case WASM_RT_TRAP_INVALID_CONVERSION: return "it converted what is no number";
    case WASM_RT_TRAP_UNREACHABLE: return "it reached code that must not be reached";
    case WASM_RT_TRAP_CALL_INDIRECT: return "it called what is no such function";
    case WASM_RT_TRAP_EXHAUSTION: return "its stack is exhausted";
    default: return "it trapped";
  }
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t initial_pages, uint32_t max_pages) {
  (void)max_pages; /* the module declares none; ours is set per run */
  uint64_t bytes = (uint64_t)initial_pages * WASM_PAGE_BYTES;
  if (!wasm_runtime_base || bytes > mapped_bytes) boundary_trap("its initial memory is larger than the ceiling");
  memory->data = wasm_runtime_base;
  memory->pages = initial_pages;
  memory->max_pages = (uint32_t)(mapped_bytes / WASM_PAGE_BYTES);
  memory->size = (uint32_t)bytes;
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t pages) {
  uint32_t before = memory->pages;
  if (pages > memory->max_pages - before) return UINT32_MAX;
  memory->pages = before + pages;
  memory->size = memory->pages * WASM_PAGE_BYTES;
  return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) { (void)memory; /* lives as long as the process */ }

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *funcrefs, uint32_t elements,
                                    uint32_t max_elements) {
  (void)max_elements;
  size_t bytes = (size_t)elements * sizeof(wasm_rt_funcref_t);
  void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (table || start == MAP_FAILED) boundary_trap("there is no memory for its function table");
  table = start;
  table_bytes = bytes;
  funcrefs->data = table;
  funcrefs->size = elements;
  funcrefs->max_size = elements;
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *funcrefs) {
  (void)funcrefs; /* lives as long as the process */
}

uint32_t wasm_rt_register_func_type(uint32_t parameters, uint32_t results, ...) {
  if (parameters + results > SIGNATURE_MAXIMUM) boundary_trap("a function type has too many values");
  struct function_type type = {.parameters = (uint8_t)parameters, .results = (uint8_t)results};
  va_list arguments;
  va_start(arguments, results);
  for (uint32_t i = 0; i < parameters + results; i++)
    type.signature[i] = (uint8_t)va_arg(arguments, wasm_rt_type_t);
  va_end(arguments);
  /* Types are numbered from 1: 0 is the type of an empty table element. */
  for (uint32_t i = 0; i < type_count; i++) {
    if (memcmp(&types[i], &type, sizeof type) == 0) return i + 1;
  }
  if (type_count == TYPES_MAXIMUM) boundary_trap("the module has too many function types");
  types[type_count++] = type;
  return type_count;
}
