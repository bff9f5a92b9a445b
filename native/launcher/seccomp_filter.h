/*
 * Seccomp allow-lists, compiled to classic BPF: everything that is not listed kills the process.
 * The lists themselves are data, in allow_list.h.
 */
#ifndef WARDENPOOL_SECCOMP_FILTER_H
#define WARDENPOOL_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdint.h>

#include "control/control.h"

struct filter {
  uint32_t length;
  struct sock_filter code[CONTROL_FILTER_CAPACITY];
};

/* The zygote's own, inherited by every sandbox, and the second one, that each sandbox installs last. */
extern struct filter zygote_filter, runner_filter;

/* Compiles both lists. 0, or -1 if one does not fit. */
int build_filters(void);

/* Installs a compiled filter for good; needs no_new_privs. 0, or -1 with errno. */
int install_filter(const struct filter *filter);

#endif
