/*
 * The system calls that a sandbox may make, as data: the filters are compiled from these lists, and so are their
 * documentation and their tests. Every entry has its reason beside it; what is not listed kills the process.
 *
 * Two stages. The zygote's list is in force from the moment the zygote is hardened, for it and for every clone. The
 * runner's list is installed on top of it in each clone, as the last step: a call must then pass both.
 */
#ifndef WARDENPOOL_ALLOW_LIST_H
#define WARDENPOOL_ALLOW_LIST_H

#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/*
 * What a sandbox that used much CPU time has for a nice value: a tenth of the weight of one that did not. Not more, and not
 * SCHED_IDLE: one that is killed must run to die, and one that computes with reason must get there, on a busy machine too.
 */
#define DEMOTED_NICE 10

enum argument_rule { ANY_ARGUMENTS, ARGUMENT_BETWEEN, ARGUMENT_ONE_OF };

struct allowed_call {
  uint32_t number;
  enum argument_rule rule;
  uint8_t argument; /* which one, from 0 */
  uint8_t count;    /* of values, for ARGUMENT_ONE_OF */
  uint32_t values[4];
};

#define CALL(name) {SYS_##name, ANY_ARGUMENTS, 0, 0, {0}}
#define CALL_BETWEEN(name, argument, low, high) {SYS_##name, ARGUMENT_BETWEEN, argument, 2, {low, high}}
#define CALL_ONE_OF(name, argument, count, ...) {SYS_##name, ARGUMENT_ONE_OF, argument, count, {__VA_ARGS__}}

/*
 * The three shapes of clone: a PID namespace of its own, or ('strict') one of every namespace, or none at all. A launcher
 * makes sandboxes of one shape, and its filter knows no other.
 */
#define SANDBOX_CLONE_FLAGS (CLONE_NEWPID | CLONE_PIDFD | SIGCHLD)
#define STRICT_CLONE_FLAGS \
  (SANDBOX_CLONE_FLAGS | CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
#define PLAIN_CLONE_FLAGS (CLONE_PIDFD | SIGCHLD)

/* No call here names a path, a socket, a process or another descriptor, or changes a mapping. */
#define RUNNER_CALLS                                                                                                \
  CALL_ONE_OF(read, 0, 1, 3),          /* frames in */                                                              \
  CALL_BETWEEN(write, 0, 1, 3),        /* frames out; diagnostics */                                                \
  CALL_BETWEEN(writev, 0, 1, 3),       /* the same, from glibc's own diagnostics */                                 \
  CALL(ppoll),                         /* wait for the host, with signals let through */                            \
  CALL(close),                         /* give a descriptor up early */                                             \
  CALL_BETWEEN(clock_gettime, 0, CLOCK_REALTIME, CLOCK_THREAD_CPUTIME_ID), /* Date; CPU time; where the vDSO cannot */ \
  CALL_ONE_OF(setitimer, 0, 1, ITIMER_REAL), /* deadlines */                                                        \
  CALL(rt_sigreturn),                  /* leave a signal handler */                                                 \
  CALL(rt_sigprocmask),                /* unwind out of one */                                                      \
  CALL(getrandom),                     /* random numbers of its own */                                              \
  CALL(restart_syscall),               /* ppoll after SIGSTOP and SIGCONT */                                        \
  CALL(exit), CALL(exit_group)         /* the end */

/* Has every call of the runner's list too, with the same or wider arguments: in a sandbox a call must pass both. */
#define ZYGOTE_CALLS(clone_flags)                                                                                   \
  CALL(read),                          /* the report pipe; frames in a sandbox */                                   \
  CALL(write),                         /* the report pipe; frames and diagnostics in a sandbox */                   \
  CALL(writev), CALL(ppoll), CALL(close), CALL(clock_gettime), CALL(setitimer), CALL(rt_sigreturn),                 \
  CALL(rt_sigprocmask), CALL(getrandom), CALL(restart_syscall), CALL(exit), CALL(exit_group),                       \
  CALL_ONE_OF(recvmsg, 0, 1, 3),       /* requests */                                                               \
  CALL_ONE_OF(sendmsg, 0, 1, 3),       /* reports */                                                                \
  CALL_ONE_OF(clone, 0, 1, clone_flags),                                                                            \
  CALL(wait4),                         /* reap, with usage */                                                       \
  CALL_ONE_OF(setpriority, 2, 1, DEMOTED_NICE), /* one that used much CPU time gives way */                         \
  CALL(dup3),                          /* place the sandbox's descriptors */                                        \
  CALL(close_range),                   /* and close all others */                                                   \
  CALL(setsid),                                                                                                     \
  CALL(getppid),                       /* whether the launcher is still there, where no PID namespace says so */    \
  CALL_ONE_OF(prctl, 0, 4, PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_CAP_AMBIENT, PR_SET_SECUREBITS),                   \
  CALL(prlimit64),                     /* limits that only a sandbox can live with */                               \
  CALL(capset),                        /* drop what is left */                                                      \
  CALL_ONE_OF(seccomp, 0, 1, SECCOMP_SET_MODE_FILTER) /* the second stage */

/* What runner_after_clone() needs beyond the zygote's own calls. */
#define RUNNER_PREPARATION_CALLS \
  , CALL_ONE_OF(fcntl, 1, 1, F_SETFL)  /* the bridge must never block outside of ppoll */                            \
  , CALL_ONE_OF(madvise, 2, 1, MADV_POPULATE_WRITE) /* its own copies of the pages that it will write */

/* What a zygote needs that is its own host: bench/floor, whose build defines this. The launcher's never does. */
#ifdef ZYGOTE_IS_HOST
#define HOST_CALLS \
  , CALL(socketpair)                   /* bridges */                                                                \
  , CALL(sendto)                       /* frames, without a signal where nobody reads them */
#else
#define HOST_CALLS
#endif

#endif
