/*
 * What the translated module needs at run time: linear memory, tables, function types and traps, as declared
 * by wasm-rt.h. Ours, and not the implementation that comes with wasm2c, for three reasons: all memory is
 * mapped before the first instruction runs and growth is bookkeeping (the runner's system call filter has no
 * mmap); the ceiling is set per run; a fault outside the reservation is a crash, not a trap.
 */
#ifndef WARDENPOOL_WASM_RUNTIME_H
#define WARDENPOOL_WASM_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "wasm-rt.h"

#define WASM_PAGE_BYTES 65536u

/* The most that a linear memory may be asked to have: 32-bit sizes cannot express all 4 GiB. */
#define WASM_MEMORY_MAXIMUM_BYTES (UINT64_C(65535) * WASM_PAGE_BYTES)

/*
 * Reserves the address space that 32-bit pointers plus 32-bit offsets can reach, and maps the first
 * `ceiling_bytes` of it (at most WASM_MEMORY_MAXIMUM_BYTES). Pages cost nothing until they are touched. Once
 * per process, before the module is instantiated. 0, or -1 with errno.
 */
int wasm_runtime_reserve(uint64_t ceiling_bytes);

/* How far the memory may grow from now on, in bytes; never beyond what was mapped. */
void wasm_runtime_set_limit(wasm_rt_memory_t *memory, uint64_t limit_bytes);

/* Gives the function table more elements, empty ones. Before it is sealed. 0, or -1 with errno. */
int wasm_runtime_extend_table(wasm_rt_funcref_table_t *funcrefs, uint32_t elements);

/* Makes the function table read-only: after instantiation nothing changes it any more. 0, or -1 with errno.
 */
int wasm_runtime_seal(void);

/* Whether the address lies in the reservation. */
bool wasm_runtime_owns(uintptr_t address);

#endif
