/*
 * Fuzz target: what a command launcher does with the bytes of a plan before it believes them. In this process. Beside that nothing
 * crashes it checks that an accepted plan says the bytes, all of them and nothing else: written down again, it is the input.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "claim.h"

/* What a plan allocates stays for good, and here each input is one: what was allocated is remembered, and freed at its end. */
static void *allocations[16];
static size_t allocation_count;

static void *remember(void *memory) {
  claim(memory != NULL, "there is memory for what a plan of this size needs");
  claim(allocation_count < sizeof allocations / sizeof *allocations, "a plan has so many lists and no more");
  return allocations[allocation_count++] = memory;
}

static void *remembered_malloc(size_t size) { return remember(malloc(size)); }
static void *remembered_calloc(size_t count, size_t size) { return remember(calloc(count, size)); }

/* Included, not linked, for that. */
#define malloc remembered_malloc
#define calloc remembered_calloc
#include "../command/plan.c"
#undef malloc
#undef calloc

#define INPUT_MAXIMUM ((size_t)1 << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input, and how much of it the plan has said so far. */
struct expected {
  const uint8_t *at;
  size_t left;
};

static void say(struct expected *expected, const void *bytes, size_t length) {
  claim(length <= expected->left && memcmp(expected->at, bytes, length) == 0, "an accepted plan says what was sent");
  expected->at += length;
  expected->left -= length;
}

static void say_number(struct expected *expected, uint32_t number) { say(expected, &number, sizeof number); }
static void say_long(struct expected *expected, uint64_t number) { say(expected, &number, sizeof number); }

static void say_text(struct expected *expected, const char *text, size_t length) {
  say_number(expected, (uint32_t)length);
  say(expected, text, length + 1);
}

static void say_string(struct expected *expected, const char *text) { say_text(expected, text, strlen(text)); }

static void say_strings(struct expected *expected, char *const *strings) {
  uint32_t count = 0;
  while (strings[count]) count++;
  say_number(expected, count);
  for (uint32_t i = 0; i < count; i++) say_string(expected, strings[i]);
}

static void say_operation(struct expected *expected, const struct operation *operation) {
  say_number(expected, operation->kind);
  say_number(expected, operation->flags);
  say_long(expected, operation->a);
  say_long(expected, operation->b);
  say_string(expected, operation->target);
  /* Of a file it is the content; otherwise a path, or nothing. */
  if (operation->kind == OPERATION_FILE) say_text(expected, operation->text, operation->text_length);
  else say_string(expected, operation->text);
  claim(operation->tree == -1, "no mount is there before it is made");
}

static void say_plan(struct expected *expected, const struct plan *plan) {
  say_number(expected, PLAN_MAGIC);
  say_number(expected, PLAN_VERSION);
  say_number(expected, plan->flags);
  for (unsigned i = 0; i < LIMIT_COUNT; i++) say_long(expected, plan->limits[i]);
  say_long(expected, plan->root_bytes);
  say_long(expected, plan->root_entries);
  say_string(expected, plan->executable);
  say_string(expected, plan->directory);
  say_strings(expected, plan->arguments);
  say_strings(expected, plan->environment);
  say_number(expected, plan->operation_count);
  for (uint32_t i = 0; i < plan->operation_count; i++) say_operation(expected, &plan->operations[i]);
  say_number(expected, plan->preserved_count);
  for (uint32_t i = 0; i < plan->preserved_count; i++) say_number(expected, plan->preserved[i]);
  say_string(expected, plan->tool);
  say_strings(expected, plan->tool_arguments);
  say_strings(expected, plan->tool_environment);
  say_text(expected, plan->tool_options, plan->tool_options_length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > INPUT_MAXIMUM) return 0;
  int file = memfd_create("plan", MFD_CLOEXEC);
  claim(file >= 0 && write(file, data, size) == (ssize_t)size, "there is a file for the plan");
  struct plan plan;
  memset(&plan, 0xA5, sizeof plan); /* so that what was not set is seen */
  const char *wrong = plan_read(file, &plan);
  claim(lseek(file, 0, SEEK_CUR) < 0, "the plan's descriptor is closed, whatever is in it");
  claim(!wrong || *wrong, "a refused plan has a reason");
  if (!wrong) {
    struct expected expected = {data, size};
    say_plan(&expected, &plan);
    claim(expected.left == 0, "an accepted plan says all that was sent");
  }
  while (allocation_count > 0) free(allocations[--allocation_count]);
  return 0;
}
