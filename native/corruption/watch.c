/*
 * Looks whether a corrupted guest has changed anything that is not its own: canaries right before and right behind the
 * reservation of linear memory, the function table, and native structures by which the runner keeps the run's bounds. For
 * tests only, linked around the runner like corruption.c.
 *
 * What has changed is said on stderr, and ends the process with WATCH_EXIT, which the runner itself never exits with.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "address_space.h"
#include "bridge.h"
#include "diagnostics.h"
#include "engine.h"
#include "guest_values.h"
#include "stop.h"
#include "terminal_frame.h"

#define WATCH_EXIT 99
#define CANARY_BYTES 4096
#define CANARY 0xC5
#define TABLE_MAXIMUM 1024

int __real_wasm_runtime_reserve(uint64_t ceiling_bytes);
int __wrap_wasm_runtime_reserve(uint64_t ceiling_bytes);
int __real_terminal_frame_send(void);
int __wrap_terminal_frame_send(void);
int __real_bridge_receive_execution(int descriptor);
int __wrap_bridge_receive_execution(int descriptor);

extern uint8_t *wasm_runtime_base;

static uint8_t *before, *behind; /* canaries */

/* What must be at the end of a run as it was at the start. */
static struct state {
  struct run_limits limits;
  uint32_t tool_count;
  struct json_span id, code;
  feature_set features;
  struct guest_names names;
  guest_address scratch, context, runtime;
  uint8_t *memory;
  wasm_rt_funcref_t *table;
  uint32_t table_size;
  sigset_t wait_mask;
  void (*on_attention)(void);
  uintptr_t stack_end;
} at_start;
static wasm_rt_funcref_t table_at_start[TABLE_MAXIMUM];

static struct state state_now(void) {
  struct state state;
  memset(&state, 0, sizeof state); /* padding is compared too */
  wasm_rt_funcref_table_t *table = ENGINE_EXPORT___indirect_function_table(&engine);
  state.limits = bridge_execution.limits;
  state.tool_count = bridge_execution.tool_count;
  state.id = bridge_execution.id;
  state.code = bridge_execution.code;
  state.features = bridge_execution.features;
  state.names = guest_names;
  state.scratch = guest_scratch;
  state.context = engine_context;
  state.runtime = engine_runtime;
  state.memory = ENGINE_EXPORT_memory(&engine)->data;
  state.table = table->data;
  state.table_size = table->size;
  state.wait_mask = stop_wait_mask;
  state.on_attention = boundary_on_attention;
  state.stack_end = boundary_stack_end();
  return state;
}

static size_t table_bytes(void) { return at_start.table_size * sizeof *table_at_start; }

int __wrap_wasm_runtime_reserve(uint64_t ceiling_bytes) {
  before = address_space_buffer(CANARY_BYTES);
  if (!before || __real_wasm_runtime_reserve(ceiling_bytes) != 0) return -1;
  behind = mmap(wasm_runtime_base + ADDRESS_SPACE_LINEAR_BYTES, CANARY_BYTES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (behind == MAP_FAILED) return -1;
  memset(before, CANARY, CANARY_BYTES);
  memset(behind, CANARY, CANARY_BYTES);
  return 0;
}

int __wrap_bridge_receive_execution(int descriptor) {
  int refused = __real_bridge_receive_execution(descriptor);
  at_start = state_now();
  if (at_start.table_size <= TABLE_MAXIMUM) memcpy(table_at_start, at_start.table, table_bytes());
  return refused;
}

static bool is_alive(const uint8_t *canary) {
  for (size_t i = 0; i < CANARY_BYTES; i++)
    if (canary[i] != CANARY) return false;
  return true;
}

static const char *changed(void) {
  struct state now = state_now();
  if (!is_alive(before)) return "the memory before the reservation";
  if (!is_alive(behind)) return "the memory behind the reservation";
  if (memcmp(&now, &at_start, sizeof now) != 0) return "the state of the run";
  if (at_start.table_size > TABLE_MAXIMUM || memcmp(table_at_start, now.table, table_bytes()) != 0) return "the function table";
  return NULL;
}

int __wrap_terminal_frame_send(void) {
  const char *what = changed();
  if (what) {
    diagnose("a corrupted guest has changed %s", what);
    _exit(WATCH_EXIT);
  }
  return __real_terminal_frame_send();
}
