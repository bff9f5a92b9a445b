/*
 * Where linear memory begins, for the translated engine alone; translate.mjs has it included there. Declared
 * constant, so that the compiler loads it once in a function instead of after each store. And constant it is:
 * wasm_runtime_reserve() sets it before any of that code runs.
 */
#ifndef WARDENPOOL_MEMORY_BASE_H
#define WARDENPOOL_MEMORY_BASE_H

#include <stdint.h>

__attribute__((visibility("hidden"))) extern uint8_t *const wasm_runtime_base;

#endif
