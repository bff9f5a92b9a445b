/*
 * Seccomp allow-lists, compiled to classic BPF: everything that is not listed kills the process.
 * The lists themselves are data, in allow_list.h.
 */
#ifndef WARDENPOOL_SECCOMP_FILTER_H
#define WARDENPOOL_SECCOMP_FILTER_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

#include "control/control.h"

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "name this machine's AUDIT_ARCH_* here"
#endif

struct filter {
  uint32_t length;
  struct sock_filter code[CONTROL_FILTER_CAPACITY];
};

/* The zygote's own, inherited by every sandbox, and the second one, that each sandbox installs last. */
extern struct filter zygote_filter, runner_filter;

/* Compiles both lists; the zygote's has `clone_flags` for the only shape of clone. 0, or -1 if one does not fit. */
int build_filters(uint32_t clone_flags);

/* Installs a compiled filter for good; needs no_new_privs. 0, or -1 with errno. */
int install_filter(const struct filter *filter);

/* The parts of a filter, for lists of another kind. Each gives 0, or -1 if the filter is full. */
int emit(struct filter *filter, uint16_t code, uint32_t operand, uint8_t jump_true, uint8_t jump_false);
int emit_load(struct filter *filter, size_t offset);

/* A list sorted by number: what is emitted for the one at `index`, and the verdict on numbers that are not in it. */
struct search {
  uint32_t (*number_of)(size_t index);
  int (*emit_verdict)(struct filter *filter, size_t index);
  uint32_t otherwise;
};
/* A binary search for the loaded number among `count` entries from `first` on. */
int emit_search(struct filter *filter, const struct search *search, size_t first, size_t count);

#endif
