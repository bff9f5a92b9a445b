/*
 * The system calls that no command may make, as data, with the reason beside each. Everything else is allowed: a command
 * may be any program. What is refused is what reaches out of a sandbox, builds another one, or has been the way out of many:
 * it fails with EPERM, or with ENOSYS where programs know how to do without.
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
#include <sys/syscall.h>

#include "command.h"

#ifndef O_TMPFILE
#define O_TMPFILE 020200000
#endif

#define NEW_NAMESPACES                                                                                               \
  (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP | 0x80u)
#define SET_ID_BITS (S_ISUID | S_ISGID)

/* Of calls newer than the headers; the same on every 64-bit architecture. */
enum {
  NUMBER_IO_URING_SETUP = 425, NUMBER_IO_URING_ENTER, NUMBER_IO_URING_REGISTER,
  NUMBER_OPEN_TREE = 428, NUMBER_MOVE_MOUNT, NUMBER_FSOPEN, NUMBER_FSCONFIG, NUMBER_FSMOUNT, NUMBER_FSPICK,
  NUMBER_CLONE3 = 435, NUMBER_OPENAT2 = 437, NUMBER_PIDFD_GETFD, NUMBER_PROCESS_MADVISE = 440, NUMBER_MOUNT_SETATTR = 442,
  NUMBER_QUOTACTL_FD = 443, NUMBER_MEMFD_SECRET = 447, NUMBER_FCHMODAT2 = 452, NUMBER_STATMOUNT = 457, NUMBER_LISTMOUNT,
  NUMBER_FIRST_UNKNOWN = 463,
};

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

/* Another sandbox inside, with capabilities in it, is most of the kernel's attack surface. */
static int restrict_clone(struct filter *filter) { return refuse_any_bit(filter, 0, NEW_NAMESPACES); }

/* The families that ordinary programs use: no AF_ALG, AF_VSOCK, AF_NETLINK, AF_PACKET and some forty others. */
static int restrict_socket(struct filter *filter) {
  return refuse_all_but(filter, 0, 3, (const uint32_t[]){AF_UNIX, AF_INET, AF_INET6});
}
static int restrict_socketpair(struct filter *filter) { return refuse_all_but(filter, 0, 1, (const uint32_t[]){AF_UNIX}); }

/* Bytes pushed into a terminal are read by whoever reads it next: the caller's shell. */
static int restrict_ioctl(struct filter *filter) {
  return refuse_value(filter, 1, TIOCSTI) || refuse_value(filter, 1, TIOCLINUX);
}

/* Would turn address randomisation off, or what is readable into executable. -1 only asks. */
static int restrict_personality(struct filter *filter) {
  return refuse_all_but(filter, 0, 2, (const uint32_t[]){0, 0xffffffffu});
}

/* The launcher is of the same user, and PID 1: with a limit on its CPU time the kernel would kill it before it cleaned up. */
static int restrict_prlimit64(struct filter *filter) {
  int failed = emit_argument(filter, 0);
  failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 5);
  failed |= emit_argument(filter, 2); /* the new limits: both halves of a pointer */
  failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
  failed |= emit_load(filter, offsetof(struct seccomp_data, args[2]) + 4u);
  failed |= emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
  return failed || emit_error(filter, EPERM);
}

/* A file in the workspace of a root host is root's: with a set-id bit it would be a way up, for others outside. */
static int restrict_fchmod(struct filter *filter) { return refuse_any_bit(filter, 1, SET_ID_BITS); }
static int restrict_fchmodat(struct filter *filter) { return refuse_any_bit(filter, 2, SET_ID_BITS); }
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

#define REFUSE(name) {SYS_##name, EPERM, NULL}
#define REFUSE_NUMBER(number) {number, EPERM, NULL}
#define ABSENT(number) {number, ENOSYS, NULL}
#define RESTRICT(name) {SYS_##name, 0, restrict_##name}

static struct refused_call refused[] = {
    /* Namespaces and mounts. */
    RESTRICT(clone), REFUSE(unshare), REFUSE(setns),
    ABSENT(NUMBER_CLONE3), /* its flags are in memory, where no filter can look; the C library falls back to clone */
    REFUSE(mount), REFUSE(umount2), REFUSE(pivot_root), REFUSE(chroot),
    REFUSE_NUMBER(NUMBER_OPEN_TREE), REFUSE_NUMBER(NUMBER_MOVE_MOUNT), REFUSE_NUMBER(NUMBER_FSOPEN),
    REFUSE_NUMBER(NUMBER_FSCONFIG), REFUSE_NUMBER(NUMBER_FSMOUNT), REFUSE_NUMBER(NUMBER_FSPICK),
    REFUSE_NUMBER(NUMBER_MOUNT_SETATTR), REFUSE_NUMBER(NUMBER_STATMOUNT), REFUSE_NUMBER(NUMBER_LISTMOUNT),
    /* Keyrings are in no namespace. */
    REFUSE(add_key), REFUSE(request_key), REFUSE(keyctl),
    /* Interfaces with a long history of holes. */
    REFUSE(bpf), REFUSE(perf_event_open), REFUSE(userfaultfd), REFUSE_NUMBER(NUMBER_MEMFD_SECRET),
    ABSENT(NUMBER_IO_URING_SETUP), ABSENT(NUMBER_IO_URING_ENTER), ABSENT(NUMBER_IO_URING_REGISTER),
    /* Other processes' memory and descriptors, the launcher's among them. */
    REFUSE(ptrace), REFUSE(process_vm_readv), REFUSE(process_vm_writev), REFUSE(kcmp),
    REFUSE_NUMBER(NUMBER_PIDFD_GETFD), REFUSE_NUMBER(NUMBER_PROCESS_MADVISE),
    RESTRICT(prlimit64), RESTRICT(socket), RESTRICT(socketpair), RESTRICT(ioctl), RESTRICT(personality),
    /* Files by handle, past every mount. */
    REFUSE(open_by_handle_at), REFUSE(name_to_handle_at),
    RESTRICT(fchmod), RESTRICT(fchmodat), {NUMBER_FCHMODAT2, 0, restrict_fchmodat}, RESTRICT(mknodat), RESTRICT(openat),
    ABSENT(NUMBER_OPENAT2), /* its mode is in memory */
    /* The machine: all need a capability as well, and a command has none. */
    REFUSE(kexec_load), REFUSE(kexec_file_load), REFUSE(init_module), REFUSE(finit_module), REFUSE(delete_module),
    REFUSE(reboot), REFUSE(swapon), REFUSE(swapoff), REFUSE(acct), REFUSE(quotactl), REFUSE_NUMBER(NUMBER_QUOTACTL_FD),
    REFUSE(syslog), REFUSE(settimeofday), REFUSE(clock_settime), REFUSE(clock_adjtime), REFUSE(adjtimex),
    REFUSE(sethostname), REFUSE(setdomainname), REFUSE(vhangup), REFUSE(fanotify_init), REFUSE(nfsservctl),
    REFUSE(lookup_dcookie),
#if defined(__x86_64__)
    RESTRICT(chmod), RESTRICT(mknod), RESTRICT(creat), RESTRICT(open),
    REFUSE(modify_ldt), REFUSE(iopl), REFUSE(ioperm), REFUSE(uselib), REFUSE(_sysctl), REFUSE(create_module),
    REFUSE(get_kernel_syms), REFUSE(query_module),
#endif
};
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
  failed |= emit(filter, BPF_JMP | BPF_JGE | BPF_K, NUMBER_FIRST_UNKNOWN, 0, 1);
  failed |= emit_error(filter, ENOSYS);
  const struct search search = {number_of, emit_verdict, SECCOMP_RET_ALLOW};
  return failed ? -1 : emit_search(filter, &search, 0, REFUSED_COUNT);
}
