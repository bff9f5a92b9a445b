/* The engine's extension with the URL parser; see url_extension.h. */
#include "url_extension.h"

#include "engine.h"
#include "url_module_exports.h"

url_module_instance url_module;

/*
 * What the extension allocates by, instead of the functions of its C library: of the engine's heap, so that it counts
 * against the program's memory limit. It is C++ without exceptions, and aborts when it gets nothing. Both are called by
 * guest code only.
 */
u32 url_extension_allocate(u32 bytes);
void url_extension_free(u32 address);

u32 url_extension_allocate(u32 bytes) {
  /* Nothing is something to the C library, and NULL to the engine. */
  u32 address = ENGINE_EXPORT_js_malloc_rt(&engine, engine_runtime, bytes > 0 ? bytes : 1);
  if (!address) engine_out_of_memory = 1;
  return address;
}

void url_extension_free(u32 address) { ENGINE_EXPORT_js_free_rt(&engine, engine_runtime, address); }

int url_extension_reserve(void) {
  wasm_rt_memory_t *memory = ENGINE_EXPORT_memory(&engine);
  wasm_rt_funcref_table_t *table = ENGINE_EXPORT___indirect_function_table(&engine);
  if (memory->size != URL_MODULE_MEMORY_BASE || table->size != URL_MODULE_TABLE_BASE) return -1;
  if (wasm_rt_grow_memory(memory, URL_MODULE_MEMORY_PAGES) == UINT32_MAX) return -1;
  return wasm_runtime_extend_table(table, URL_MODULE_TABLE_ELEMENTS);
}

int url_extension_start(void) {
  URL_MODULE_INIT_MODULE();
  boundary_enter();
  URL_MODULE_INSTANTIATE(&url_module);
  URL_MODULE_EXPORT___wasm_apply_data_relocs(&url_module);
  u32 status = URL_MODULE_EXPORT_qjs_ext_url_init(&url_module, engine_context, engine_runtime);
  boundary_leave();
  return status == 0 ? 0 : -1;
}
