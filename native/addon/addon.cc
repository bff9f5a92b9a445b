// The addon's exports: the Launcher class, and the names of the confinement steps that it reports by number.
#include <napi.h>

#include "control/steps.h"
#include "launcher.h"

static Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  Napi::Object steps = Napi::Object::New(env);
#define NAME_STEP(number, name, text) steps.Set(number##u, text);
  LAUNCHER_STEPS(NAME_STEP)
  SANDBOX_STEPS(NAME_STEP)
  COMMAND_LAUNCHER_STEPS(NAME_STEP)
  COMMAND_STEPS(NAME_STEP)
#undef NAME_STEP
  exports.Set("steps", steps);
  exports.Set("Launcher", Launcher::define(env));
  return exports;
}

NODE_API_MODULE(wardenpool, initialise)
