/*
 * The one instance of the engine in this process: how to call it, its values, its memory.
 *
 * A value (`guest_value`) is QuickJS's NaN-boxed JSValue. An address (`guest_address`) is a number that the
 * guest may have chosen: it becomes a pointer only by guest_bytes(), which checks it. Knows nothing of
 * frames, tools or limits.
 */
#ifndef WARDENPOOL_ENGINE_H
#define WARDENPOOL_ENGINE_H

#include <stdint.h>
#include <string.h>

#include "boundary.h"
#include "engine_exports.h"
#include "wasm_runtime.h"

typedef uint64_t guest_value;
typedef uint32_t guest_address;
typedef uint32_t guest_atom;

extern engine_instance engine;
extern guest_address engine_context; /* JSContext* */
extern guest_address engine_runtime; /* JSRuntime* */

/* Calls the export `name` of the engine; GUEST_RUN for those that return nothing. */
#define GUEST_CALL(name, ...)                                                     \
  ({                                                                              \
    boundary_enter();                                                             \
    __auto_type guest_call_result = ENGINE_EXPORT_##name(&engine, ##__VA_ARGS__); \
    boundary_leave();                                                             \
    guest_call_result;                                                            \
  })
#define GUEST_RUN(name, ...)                      \
  do {                                            \
    boundary_enter();                             \
    ENGINE_EXPORT_##name(&engine, ##__VA_ARGS__); \
    boundary_leave();                             \
  } while (0)

/* The tags of QuickJS values, in the upper half; every upper half that is none of these belongs to a double.
 */
enum guest_tag {
  GUEST_TAG_BIG_INT = -9,
  GUEST_TAG_SYMBOL = -8,
  GUEST_TAG_STRING = -7,
  GUEST_TAG_STRING_ROPE = -6,
  GUEST_TAG_OBJECT = -1,
  GUEST_TAG_INT = 0,
  GUEST_TAG_BOOL = 1,
  GUEST_TAG_NULL = 2,
  GUEST_TAG_UNDEFINED = 3,
  GUEST_TAG_UNINITIALIZED = 4,
  GUEST_TAG_EXCEPTION = 6,
  GUEST_TAG_SHORT_BIG_INT = 7,
  GUEST_TAG_FLOAT64 = 8,
};

#define GUEST_VALUE(tag, low) (((uint64_t)(uint32_t)(tag) << 32) | (uint32_t)(low))
#define GUEST_NULL GUEST_VALUE(GUEST_TAG_NULL, 0)
#define GUEST_UNDEFINED GUEST_VALUE(GUEST_TAG_UNDEFINED, 0)
#define GUEST_EXCEPTION GUEST_VALUE(GUEST_TAG_EXCEPTION, 0)

static inline enum guest_tag guest_tag_of(guest_value value) {
  int32_t tag = (int32_t)(value >> 32);
  return tag >= GUEST_TAG_BIG_INT && tag < GUEST_TAG_FLOAT64 ? (enum guest_tag)tag : GUEST_TAG_FLOAT64;
}

static inline bool guest_is_exception(guest_value value) {
  return guest_tag_of(value) == GUEST_TAG_EXCEPTION;
}
static inline bool guest_is_object(guest_value value) { return guest_tag_of(value) == GUEST_TAG_OBJECT; }
static inline bool guest_is_undefined(guest_value value) {
  return guest_tag_of(value) == GUEST_TAG_UNDEFINED;
}
static inline bool guest_is_string(guest_value value) {
  enum guest_tag tag = guest_tag_of(value);
  return tag == GUEST_TAG_STRING || tag == GUEST_TAG_STRING_ROPE;
}

/* Doubles are stored with an offset, so that no bit pattern of a number looks like a tag. */
static inline double guest_float64(guest_value value) {
  uint64_t bits = value + ((UINT64_C(0x7ff80000) - (uint64_t)(int64_t)GUEST_TAG_BIG_INT + 1) << 32);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* Checked access to the guest's memory. What does not lie inside it is a trap: the guest chose the address.
 */
static inline uint8_t *guest_bytes(guest_address address, uint64_t length) {
  wasm_rt_memory_t *memory = ENGINE_EXPORT_memory(&engine);
  if (address == 0 || length > memory->size || address > memory->size - length) {
    boundary_trap("it handed over an address outside its memory");
  }
  return memory->data + address;
}

static inline uint32_t guest_load_u32(guest_address address) {
  uint32_t value;
  memcpy(&value, guest_bytes(address, sizeof value), sizeof value);
  return value;
}

static inline uint64_t guest_load_u64(guest_address address) {
  uint64_t value;
  memcpy(&value, guest_bytes(address, sizeof value), sizeof value);
  return value;
}

static inline void guest_store_u32(guest_address address, uint32_t value) {
  memcpy(guest_bytes(address, sizeof value), &value, sizeof value);
}

static inline void guest_store_u64(guest_address address, uint64_t value) {
  memcpy(guest_bytes(address, sizeof value), &value, sizeof value);
}

/* A function of ours that the guest calls by `name`; each argument is the address of a value. Returns a
   value, or GUEST_EXCEPTION after JS_Throw. The value is the caller's. */
typedef guest_value engine_host_function(const char *name, size_t name_length, uint32_t argument_count,
                                         guest_address arguments);

/*
 * Brings the engine up, with every intrinsic of ECMAScript and of the web's only URL and URLSearchParams, in the raw state
 * of url_extension.h. Once per process, after
 * wasm_runtime_reserve() and under BOUNDARY_SET, since it may trap. 0, or -1.
 */
int engine_start(engine_host_function *host_function);

/* What the engine's Date reads instead of the system's clock, unless NULL: nanoseconds since 1970. */
extern uint64_t (*engine_clock)(void);

/* Called, unless NULL, when a promise is rejected that has no handler, and when one of those gets its first. The values stay
 * the engine's. */
extern void (*engine_promise_rejection)(guest_value promise, guest_value reason, bool is_handled);

/* True once the engine has thrown its own "out of memory", whatever became of the error. Program text cannot
 * set it. */
extern volatile sig_atomic_t engine_out_of_memory;

#endif
