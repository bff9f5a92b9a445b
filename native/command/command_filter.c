/*
 * The compiler from the list of what no command may do (refused_calls.h) to a BPF program, and what is looked at in the
 * arguments of a call that is refused only with some. Arguments are compared as the 32 bits that the calls concerned take.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "command.h"
#include "refused_calls.h"

#ifndef O_TMPFILE
#define O_TMPFILE 020200000
#endif

#define NEW_NAMESPACES                                                                                               \
  (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP | 0x80u)
#define SET_ID_BITS (S_ISUID | S_ISGID)

static int emit_error(struct filter *filter, int error) {
  return emit(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error, 0, 0);
}

static int emit_argument(struct filter *filter, unsigned argument) {
  return emit_load(filter, offsetof(struct seccomp_data, args) + 8u * argument); /* the low half: little-endian */
}

/* By ||, which keeps the order: each gives 0, or what is not 0 if the filter is full. */
static int refuse_any_bit(struct filter *filter, unsigned argument, uint32_t bits) {
  return emit_argument(filter, argument) || emit(filter, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1) || emit_error(filter, EPERM);
}

static int refuse_value(struct filter *filter, unsigned argument, uint32_t value) {
  return emit_argument(filter, argument) || emit(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1) || emit_error(filter, EPERM);
}

static int refuse_all_but(struct filter *filter, unsigned argument, unsigned count, const uint32_t *values) {
  int failed = emit_argument(filter, argument);
  for (unsigned i = 0; i < count; i++)
    failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, values[i], (uint8_t)(count - i), 0);
  return failed || emit_error(filter, EPERM);
}

/* A new file with a set-id bit: the mode counts only with flags that make one. */
static int refuse_set_id_file(struct filter *filter, unsigned flags, unsigned mode) {
  return emit_argument(filter, flags) || emit(filter, BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 0, 3) ||
         emit_argument(filter, mode) || emit(filter, BPF_JMP | BPF_JSET | BPF_K, SET_ID_BITS, 0, 1) ||
         emit_error(filter, EPERM);
}

static int restrict_clone(struct filter *filter) { return refuse_any_bit(filter, 0, NEW_NAMESPACES); }

static int restrict_socket(struct filter *filter) {
  return refuse_all_but(filter, 0, 3, (const uint32_t[]){AF_UNIX, AF_INET, AF_INET6});
}
static int restrict_socketpair(struct filter *filter) { return refuse_all_but(filter, 0, 1, (const uint32_t[]){AF_UNIX}); }

static int restrict_ioctl(struct filter *filter) {
  return refuse_value(filter, 1, TIOCSTI) || refuse_value(filter, 1, TIOCLINUX);
}

static int restrict_personality(struct filter *filter) {
  return refuse_all_but(filter, 0, 2, (const uint32_t[]){0, 0xffffffffu});
}

static int restrict_prlimit64(struct filter *filter) {
  int failed = emit_argument(filter, 0);
  failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 5);
  failed |= emit_argument(filter, 2); /* the new limits: both halves of a pointer */
  failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
  failed |= emit_load(filter, offsetof(struct seccomp_data, args[2]) + 4u);
  failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
  return failed || emit_error(filter, EPERM);
}

static int restrict_fchmod(struct filter *filter) { return refuse_any_bit(filter, 1, SET_ID_BITS); }
static int restrict_fchmodat(struct filter *filter) { return refuse_any_bit(filter, 2, SET_ID_BITS); }
static int restrict_fchmodat2(struct filter *filter) { return refuse_any_bit(filter, 2, SET_ID_BITS); }
static int restrict_mknodat(struct filter *filter) { return refuse_any_bit(filter, 2, SET_ID_BITS); }
static int restrict_openat(struct filter *filter) { return refuse_set_id_file(filter, 2, 3); }
#if defined(__x86_64__)
static int restrict_chmod(struct filter *filter) { return refuse_any_bit(filter, 1, SET_ID_BITS); }
static int restrict_mknod(struct filter *filter) { return refuse_any_bit(filter, 1, SET_ID_BITS); }
static int restrict_creat(struct filter *filter) { return refuse_any_bit(filter, 1, SET_ID_BITS); }
static int restrict_open(struct filter *filter) { return refuse_set_id_file(filter, 1, 2); }
#endif

/* `restriction` emits what refuses some arguments, and falls through for the others; without one, every call fails with `error`. */
struct refused_call {
  uint32_t number;
  int error;
  int (*restriction)(struct filter *filter);
};

/* What an entry of the list is to the compiler: no reason, and no words for arguments. */
#define REFUSE(number, name, error, reason) {number, error, NULL},
#define RESTRICT(number, name, arguments, reason) {number, 0, restrict_##name},

static struct refused_call refused[] = {REFUSED_CALLS(REFUSE, RESTRICT)};
#define REFUSED_COUNT (sizeof refused / sizeof refused[0])

static int compare_calls(const void *left, const void *right) {
  uint32_t a = ((const struct refused_call *)left)->number, b = ((const struct refused_call *)right)->number;
  return a < b ? -1 : a > b;
}

static uint32_t number_of(size_t index) { return refused[index].number; }

static int emit_verdict(struct filter *filter, size_t index) {
  const struct refused_call *call = &refused[index];
  if (!call->restriction) return emit_error(filter, call->error);
  return call->restriction(filter) || emit(filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

int build_command_filter(struct filter *filter) {
  qsort(refused, REFUSED_COUNT, sizeof refused[0], compare_calls);
  filter->length = 0;
  int failed = emit_load(filter, offsetof(struct seccomp_data, arch));
  failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0);
  failed |= emit(filter, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
  failed |= emit_load(filter, offsetof(struct seccomp_data, nr));
  /* Numbers that were not thought of, and the whole x32 interface, do not exist. */
  failed |= emit(filter, BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN_CALL, 0, 1);
  failed |= emit_error(filter, ENOSYS);
  const struct search search = {number_of, emit_verdict, SECCOMP_RET_ALLOW};
  return failed ? -1 : emit_search(filter, &search, 0, REFUSED_COUNT);
}
