// The addon's exports: the Launcher class, the names of the confinement steps that it reports by number, and its C library.
#include <napi.h>

#include "control/steps.h"
#include "launcher.h"

#define AS_TEXT(token) #token
#define NUMBER_TEXT(macro) AS_TEXT(macro)

static Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  Napi::Object steps = Napi::Object::New(env);
#define NAME_STEP(number, name, text) steps.Set(number##u, text);
  LAUNCHER_STEPS(NAME_STEP)
  SANDBOX_STEPS(NAME_STEP)
  COMMAND_LAUNCHER_STEPS(NAME_STEP)
  COMMAND_STEPS(NAME_STEP)
#undef NAME_STEP
  exports.Set("steps", steps);
#ifdef __GLIBC__
  exports.Set("libc", "glibc " NUMBER_TEXT(__GLIBC__) "." NUMBER_TEXT(__GLIBC_MINOR__));
#else
  exports.Set("libc", "not glibc");
#endif
  exports.Set("Launcher", Launcher::define(env));
  return exports;
}

NODE_API_MODULE(wardenpool, initialise)
