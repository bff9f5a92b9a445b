/*
 * What a program would have that has broken QuickJS completely, as functions of the global `corrupt`: for tests only,
 * linked around an unchanged runner, never shipped.
 *
 *   corrupt.load8(address), .store32_farthest(address, value), .call_builtin(element, …), .grow(pages), …
 *                         what native/corruption/translate.mjs lists: generated code, run as guest code is
 *   corrupt.address(value)   where in linear memory an object, string or the like is
 *   corrupt.forge(high, low) a value of any bits
 *   corrupt.names            the names of the generated functions
 *
 * Numbers are the arguments and results; 64 bits are exact up to 2^53. It takes the runner's places of two functions of its
 * own by the linker (--wrap), and knows nothing of what must come of all this.
 */
#include <stdio.h>

#include "corruption_exports.h"
#include "guest_values.h"
#include "host_functions.h"
#include "tool_calls.h"

#define PREFIX '!' /* of the names under which the engine calls back: no function of the runner has it */
#define ADDRESS "!address"
#define FORGE "!forge"
#define EXACT_MAXIMUM 9007199254740992.0

static corruption_instance instance;

guest_value __real_host_functions_call(const char *name, size_t length, uint32_t count, guest_address arguments);
guest_value __wrap_host_functions_call(const char *name, size_t length, uint32_t count, guest_address arguments);
int __real_tool_calls_start(void);
int __wrap_tool_calls_start(void);

static u64 argument(uint32_t index, uint32_t count, guest_address arguments) {
  double number = index < count ? guest_number(guest_argument(arguments, index)) : 0;
  return number > -EXACT_MAXIMUM && number < EXACT_MAXIMUM ? (u64)(int64_t)number : 0;
}

static guest_value number(u64 value) {
  if (value <= INT32_MAX) return GUEST_VALUE(GUEST_TAG_INT, value);
  return GUEST_CALL(JS_NewNumber, engine_context, (double)value);
}

static guest_value invoke(size_t index, uint32_t count, guest_address arguments) {
  u64 numbers[CORRUPTION_PARAMETERS_MAXIMUM];
  for (uint32_t i = 0; i < CORRUPTION_PARAMETERS_MAXIMUM; i++) numbers[i] = argument(i, count, arguments);
  boundary_enter();
  u64 result = corruption_invoke(&instance, index, numbers);
  boundary_leave();
  return number(result);
}

guest_value __wrap_host_functions_call(const char *name, size_t length, uint32_t count, guest_address arguments) {
  if (length < 2 || length > 31 || name[0] != PREFIX) return __real_host_functions_call(name, length, count, arguments);
  char copy[32];
  memcpy(copy, name, length);
  copy[length] = 0;
  if (strcmp(copy, ADDRESS) == 0) return number((uint32_t)(count > 0 ? guest_argument(arguments, 0) : 0));
  if (strcmp(copy, FORGE) == 0) return GUEST_VALUE(argument(0, count, arguments), argument(1, count, arguments));
  unsigned index;
  if (sscanf(copy + 1, "%u", &index) != 1 || index >= CORRUPTION_COUNT) boundary_trap("it called a corruption that does not exist");
  return invoke(index, count, arguments);
}

static bool define(guest_value object, const char *name, const char *native_name) {
  guest_address copy = guest_copy(native_name, strlen(native_name));
  guest_address box = copy ? GUEST_CALL(qjs_new_host_function, copy, (u32)strlen(native_name), 0u) : 0;
  return box && guest_define(object, name, guest_load_u64(box));
}

int __wrap_tool_calls_start(void) {
  if (__real_tool_calls_start() != 0) return -1;
  CORRUPTION_INIT_MODULE();
  CORRUPTION_INSTANTIATE(&instance);
  guest_value object = GUEST_CALL(JS_NewObject, engine_context);
  guest_value names = GUEST_CALL(JS_NewArray, engine_context);
  bool is_defined = define(object, "address", ADDRESS) && define(object, "forge", FORGE);
  for (uint32_t i = 0; i < CORRUPTION_COUNT && is_defined; i++) {
    const char *name = corruption_names[i];
    char native_name[16];
    snprintf(native_name, sizeof native_name, "%c%u", PREFIX, i);
    is_defined = define(object, name, native_name) &&
                 (s32)GUEST_CALL(JS_SetPropertyUint32, engine_context, names, i, guest_string(name, strlen(name))) >= 0;
  }
  guest_value global = GUEST_CALL(JS_GetGlobalObject, engine_context);
  is_defined = is_defined && guest_define(object, "names", names) && guest_define(global, "corrupt", object);
  guest_free(global);
  return is_defined ? 0 : -1;
}
