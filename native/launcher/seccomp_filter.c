/*
 * The compiler from an allow-list to a BPF program.
 *
 * A filter runs on every system call, so its cost is the length of the path through it: the numbers are searched as a
 * binary tree. There is no compare per denied call; whatever no leaf names, dies. Arguments are compared as the 32 bits
 * that the calls concerned take.
 */
#include "seccomp_filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "allow_list.h"

_Static_assert(sizeof(struct sock_filter) == sizeof(struct control_instruction), "READY reports filters as they are");

struct filter zygote_filter, runner_filter;

enum argument_rule { ANY_ARGUMENTS, ARGUMENT_BETWEEN, ARGUMENT_ONE_OF };

struct allowed_call {
  uint32_t number;
  enum argument_rule rule;
  uint8_t argument; /* which one, from 0 */
  uint8_t count;    /* of values */
  uint32_t values[4];
};

/* What an entry of the lists is to the compiler: no reason, and no name of an argument. */
#define ANY(name, reason) {SYS_##name, ANY_ARGUMENTS, 0, 0, {0}},
#define BETWEEN(name, number, argument, reason, low, high) {SYS_##name, ARGUMENT_BETWEEN, number, 2, {low, high}},
#define ONE_OF(name, number, argument, reason, ...) \
  {SYS_##name, ARGUMENT_ONE_OF, number, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), {__VA_ARGS__}},

static int compare_calls(const void *left, const void *right) {
  uint32_t a = ((const struct allowed_call *)left)->number, b = ((const struct allowed_call *)right)->number;
  return a < b ? -1 : a > b;
}

int emit(struct filter *filter, uint16_t code, uint32_t operand, uint8_t jump_true, uint8_t jump_false) {
  if (filter->length == CONTROL_FILTER_CAPACITY) return -1;
  filter->code[filter->length++] = (struct sock_filter){code, jump_true, jump_false, operand};
  return 0;
}

int emit_load(struct filter *filter, size_t offset) {
  return emit(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static int emit_rule(struct filter *filter, const struct allowed_call *call) {
  int failed = 0;
  size_t argument = offsetof(struct seccomp_data, args) + 8u * call->argument; /* the low half: little-endian */
  switch (call->rule) {
    case ANY_ARGUMENTS:
      break;
    case ARGUMENT_BETWEEN:
      failed |= emit_load(filter, argument);
      failed |= emit(filter, BPF_JMP | BPF_JGE | BPF_K, call->values[0], 0, 2);
      failed |= emit(filter, BPF_JMP | BPF_JGT | BPF_K, call->values[1], 1, 0);
      break;
    case ARGUMENT_ONE_OF:
      failed |= emit_load(filter, argument);
      for (unsigned i = 0; i < call->count; i++) {
        uint8_t to_allow = (uint8_t)(call->count - 1 - i);
        failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, call->values[i], to_allow, i + 1 == call->count);
      }
      break;
  }
  failed |= emit(filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  if (call->rule == ANY_ARGUMENTS) return failed;
  return failed | emit(filter, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0); /* where a condition is not met */
}

/* One number: what is emitted for it, or the verdict on all others. */
static int emit_leaf(struct filter *filter, const struct search *search, size_t index) {
  uint32_t start = filter->length;
  int failed = emit(filter, BPF_JMP | BPF_JEQ | BPF_K, search->number_of(index), 0, 0);
  failed |= search->emit_verdict(filter, index);
  if (failed) return -1;
  filter->code[start].jf = (uint8_t)(filter->length - start - 1);
  return emit(filter, BPF_RET | BPF_K, search->otherwise, 0, 0);
}

int emit_search(struct filter *filter, const struct search *search, size_t first, size_t count) {
  if (count == 1) return emit_leaf(filter, search, first);
  size_t middle = count / 2;
  uint32_t branch = filter->length;
  if (emit(filter, BPF_JMP | BPF_JGE | BPF_K, search->number_of(first + middle), 0, 0) < 0) return -1;
  if (emit_search(filter, search, first, middle) < 0) return -1;
  uint32_t distance = filter->length - branch - 1;
  if (distance > UINT8_MAX) return -1; /* farther than a branch of BPF reaches */
  filter->code[branch].jt = (uint8_t)distance;
  return emit_search(filter, search, first + middle, count - middle);
}

static const struct allowed_call *calls_to_emit;

static uint32_t number_of(size_t index) { return calls_to_emit[index].number; }
static int emit_call(struct filter *filter, size_t index) { return emit_rule(filter, &calls_to_emit[index]); }

static int build(struct filter *filter, struct allowed_call *calls, size_t count) {
  qsort(calls, count, sizeof *calls, compare_calls);
  calls_to_emit = calls;
  filter->length = 0;
  int failed = emit_load(filter, offsetof(struct seccomp_data, arch));
  failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
  failed |= emit(filter, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
  failed |= emit_load(filter, offsetof(struct seccomp_data, nr));
  const struct search search = {number_of, emit_call, SECCOMP_RET_KILL_PROCESS};
  return failed ? -1 : emit_search(filter, &search, 0, count);
}

int build_filters(uint32_t clone_flags) {
  struct allowed_call zygote[] = {ZYGOTE_CALLS(ANY, BETWEEN, ONE_OF, clone_flags)
                                      RUNNER_PREPARATION_CALLS(ANY, BETWEEN, ONE_OF) HOST_CALLS(ANY, BETWEEN, ONE_OF)};
  struct allowed_call runner[] = {RUNNER_CALLS(ANY, BETWEEN, ONE_OF)};
  if (build(&zygote_filter, zygote, sizeof zygote / sizeof zygote[0]) < 0) return -1;
  return build(&runner_filter, runner, sizeof runner / sizeof runner[0]);
}

int install_filter(const struct filter *filter) {
  struct sock_fprog program = {.len = (unsigned short)filter->length, .filter = (struct sock_filter *)filter->code};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
