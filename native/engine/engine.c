/* Starts the engine, and answers its imports; see engine.h. */
#include "engine.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "url_extension.h"

/* Bits of qjs_init2(): which built-in objects a context gets. Those left out belong to the web, not to
 * ECMAScript. */
#define INTRINSIC_PERFORMANCE (1u << 10)
#define INTRINSIC_DOM_EXCEPTION (1u << 11)
#define INTRINSIC_ATOB_BTOA (1u << 12)
#define INTRINSICS_OF_ECMASCRIPT (~(INTRINSIC_PERFORMANCE | INTRINSIC_DOM_EXCEPTION | INTRINSIC_ATOB_BTOA))

#define WASI_SUCCESS 0u
#define WASI_BADF 8u
#define WASI_NOSYS 52u

/* An engine that asserts something says so in a line or two; one that was taken over may say it for ever. Bytes, in all. */
#define COMPLAINT_MAXIMUM 512u

#define RANDOM_MAXIMUM 4096u

engine_instance engine;
guest_address engine_context;
guest_address engine_runtime;
volatile sig_atomic_t engine_out_of_memory;
uint64_t (*engine_clock)(void);
void (*engine_promise_rejection)(guest_value promise, guest_value reason, bool is_handled);
static engine_host_function *host_call;

/* Called from the engine's JS_ThrowOutOfMemory; translate.mjs puts the call there. */
void engine_observe_out_of_memory(void);
void engine_observe_out_of_memory(void) { engine_out_of_memory = 1; }

/*
 * Whether what the engine is about to throw as InternalError, with a message of its own, is a RangeError in every other engine, and in
 * this one where the same comes about in another way: a text that grows too long, by `+` and not by repeat(). Called from the
 * engine's JS_ThrowInternalError; translate.mjs puts the call there.
 */
bool engine_is_range_error(u32 message);
bool engine_is_range_error(u32 message) {
  static const char too_long[] = "string too long";
  return memcmp(guest_bytes(message, sizeof too_long), too_long, sizeof too_long) == 0;
}

int engine_start(engine_host_function *host_function) {
  host_call = host_function;
  wasm_rt_init();
  ENGINE_INIT_MODULE();
  ENGINE_INSTANTIATE(&engine);
  if (url_extension_reserve() != 0) return -1;
  GUEST_RUN(_initialize);
  if (GUEST_CALL(qjs_init2, INTRINSICS_OF_ECMASCRIPT) != 0) return -1;
  engine_context = GUEST_CALL(qjs_get_context_ptr);
  engine_runtime = GUEST_CALL(qjs_get_runtime_ptr);
  GUEST_RUN(JS_SetCanBlock, engine_runtime, 0);
  return url_extension_start();
}

u32 ENGINE_IMPORT_host_call(engine_env *env, u32 name, u32 name_length, u32 this_value, u32 count,
                            u32 arguments) {
  (void)env;
  (void)this_value;
  boundary_leave();
  guest_value result = host_call((const char *)guest_bytes(name, name_length), name_length, count, arguments);
  u32 box = 0; /* tells the engine that an exception is pending */
  if (!guest_is_exception(result)) {
    box = GUEST_CALL(wasm_malloc, (u32)sizeof result);
    if (box) {
      guest_store_u64(box, result);
    } else {
      (void)GUEST_CALL(JS_ThrowOutOfMemory, engine_context);
    }
  }
  boundary_enter();
  return box;
}

/* Always UTC: where the host is, is nothing that a program can see. */
u32 ENGINE_IMPORT_host_get_timezone_offset(engine_env *env, u32 high, u32 low) {
  (void)env;
  (void)high;
  (void)low;
  return 0;
}

/* The engine asks for these only after the setters for them were called, and nobody calls those. */
u32 ENGINE_IMPORT_host_interrupt(engine_env *env) {
  (void)env;
  return 0;
}

u32 ENGINE_IMPORT_host_module_load(engine_env *env, u32 name, u32 length) {
  (void)env;
  (void)name;
  (void)length;
  return 0;
}

u32 ENGINE_IMPORT_host_module_normalize(engine_env *env, u32 base, u32 name) {
  (void)env;
  (void)base;
  (void)name;
  return 0;
}

/* The values come in boxes that are ours; where there was no memory for one, it is 0. */
void ENGINE_IMPORT_host_promise_rejection(engine_env *env, u32 promise, u32 reason, u32 handled) {
  (void)env;
  boundary_leave();
  if (promise && reason && engine_promise_rejection) {
    engine_promise_rejection(guest_load_u64(promise), guest_load_u64(reason), handled != 0);
  }
  if (promise) GUEST_RUN(qjs_free_value, promise);
  if (reason) GUEST_RUN(qjs_free_value, reason);
  boundary_enter();
}

u32 ENGINE_IMPORT_clock_time_get(engine_wasi *wasi, u32 clock, u64 precision, u32 result) {
  (void)wasi;
  (void)precision;
  boundary_leave();
  struct timespec now = {0, 0};
  if (!engine_clock) (void)clock_gettime(clock == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
  uint64_t system = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
  guest_store_u64(result, engine_clock ? engine_clock() : system);
  boundary_enter();
  return WASI_SUCCESS;
}

u32 ENGINE_IMPORT_random_get(engine_wasi *wasi, u32 buffer, u32 length) {
  (void)wasi;
  boundary_leave();
  /* The engine asks for a seed at most; and a deadline has to wait for the last of them. */
  if (length > RANDOM_MAXIMUM) boundary_trap("it wanted more random bytes at once than it may have");
  uint8_t *bytes = guest_bytes(buffer, length);
  /* getrandom() fills at most 256 bytes without being interruptible. */
  for (u32 filled = 0; filled < length;) {
    ssize_t got = getrandom(bytes + filled, length - filled < 256 ? length - filled : 256, 0);
    if (got <= 0) boundary_trap("the system gave it no random bytes");
    filled += (u32)got;
  }
  boundary_enter();
  return WASI_SUCCESS;
}

/* What the engine's C library prints is a failed assertion at most: it goes to the diagnostics. */
u32 ENGINE_IMPORT_fd_write(engine_wasi *wasi, u32 descriptor, u32 vectors, u32 count, u32 written) {
  (void)wasi;
  if (descriptor != 1 && descriptor != 2) return WASI_BADF;
  boundary_leave();
  u32 total = 0;
  static u32 budget = COMPLAINT_MAXIMUM;
  for (u32 i = 0; i < count && i < 16; i++) {
    u32 length = guest_load_u32(vectors + i * 8 + 4);
    u32 shown = length < budget ? length : budget;
    if (shown > 0) {
      ssize_t ignored = write(STDERR_FILENO, guest_bytes(guest_load_u32(vectors + i * 8), shown), shown);
      (void)ignored; /* diagnostics are best effort */
    }
    budget -= shown;
    total += length;
  }
  guest_store_u32(written, total);
  boundary_enter();
  return WASI_SUCCESS;
}

u32 ENGINE_IMPORT_fd_close(engine_wasi *wasi, u32 descriptor) {
  (void)wasi;
  (void)descriptor;
  return WASI_NOSYS;
}

u32 ENGINE_IMPORT_fd_seek(engine_wasi *wasi, u32 descriptor, u64 offset, u32 whence, u32 result) {
  (void)wasi;
  (void)descriptor;
  (void)offset;
  (void)whence;
  (void)result;
  return WASI_NOSYS;
}

u32 ENGINE_IMPORT_fd_fdstat_get(engine_wasi *wasi, u32 descriptor, u32 result) {
  (void)wasi;
  if (descriptor != 1 && descriptor != 2) return WASI_BADF;
  boundary_leave();
  uint8_t *status = guest_bytes(result, 24);
  memset(status, 0, 24);
  status[0] = 2; /* a character device */
  boundary_enter();
  return WASI_SUCCESS;
}
