/*
 * Native QuickJS for the benchmark: evaluates the script in the file that is named, and prints the value as
 * text. A shell of our own, as the one that comes with QuickJS needs a compiled script of its own to be built.
 */
#include <stdio.h>
#include <stdlib.h>

#include "quickjs.h"

#define SCRIPT_MAXIMUM 65536u

static int fail(const char *what, const char *detail) {
  fprintf(stderr, "native-quickjs: %s: %s\n", what, detail ? detail : "no detail");
  return 1;
}

int main(int count, char **arguments) {
  if (count != 2) return fail("usage", "native-quickjs FILE");
  FILE *file = fopen(arguments[1], "rb");
  if (!file) return fail("the script cannot be opened", arguments[1]);
  static char script[SCRIPT_MAXIMUM + 1]; /* zero at the end, as JS_Eval() wants it */
  size_t length = fread(script, 1, SCRIPT_MAXIMUM, file);
  if (ferror(file) || !feof(file)) return fail("the script cannot be read, or is too long", arguments[1]);
  (void)fclose(file);
  JSRuntime *runtime = JS_NewRuntime();
  JSContext *context = runtime ? JS_NewContext(runtime) : NULL;
  if (!context) return fail("the engine did not start", "out of memory");
  JSValue value = JS_Eval(context, script, length, arguments[1], JS_EVAL_TYPE_GLOBAL);
  int failed = JS_IsException(value);
  if (failed) value = JS_GetException(context);
  const char *text = JS_ToCString(context, value);
  if (failed || !text) return fail("the script threw", text);
  return puts(text) < 0 ? 1 : 0; /* the end of the process frees the rest */
}
