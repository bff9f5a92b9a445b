/*
 * The system calls that a sandbox may make, as data: the filters are compiled from these lists, and so are their
 * documentation (docs/system-calls.md) and their tests. Every entry has its reason; what is not listed kills the process.
 *
 * Two stages. The zygote's list is in force from the moment the zygote is hardened, for it and for every clone. The
 * runner's list is installed on top of it in each clone, as the last step: a call must then pass both.
 *
 * A list is given three macros, by which its reader says what becomes of an entry; the launcher's binary has no reason in it.
 *   ANY(name, reason)                                  with whatever arguments
 *   BETWEEN(name, number, argument, reason, low, high) if that argument, the number-th from 0, is one of these or between them
 *   ONE_OF(name, number, argument, reason, value...)   if it is one of at most four values
 */
#ifndef WARDENPOOL_ALLOW_LIST_H
#define WARDENPOOL_ALLOW_LIST_H

#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/*
 * The nice value of a sandbox: a third of the weight of its host and its launcher. Many of them run at once, and the few threads
 * that serve all of them would else wait their turn among them.
 */
#define SANDBOX_NICE 5

/*
 * What a sandbox that used much CPU time has for a nice value: a fifth of the weight of one that did not. Not more, and not
 * SCHED_IDLE: one that is killed must run to die, and one that computes with reason must get there, on a busy machine too.
 */
#define DEMOTED_NICE 12

/*
 * The three shapes of clone: a PID namespace of its own, or ('strict') one of every namespace, or none at all. A launcher
 * makes sandboxes of one shape, and its filter knows no other.
 */
#define SANDBOX_CLONE_FLAGS (CLONE_NEWPID | CLONE_PIDFD | SIGCHLD)
#define STRICT_CLONE_FLAGS \
  (SANDBOX_CLONE_FLAGS | CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
#define PLAIN_CLONE_FLAGS (CLONE_PIDFD | SIGCHLD)

/* No call here names a path, a socket, a process or another descriptor, or changes a mapping. */
#define RUNNER_CALLS(ANY, BETWEEN, ONE_OF)                                                                            \
  ONE_OF(read, 0, fd, "frames in", 3)                                                                                 \
  BETWEEN(write, 0, fd, "frames out; diagnostics", 1, 3)                                                              \
  BETWEEN(writev, 0, fd, "the same, from the C library's own diagnostics", 1, 3)                                      \
  ANY(ppoll, "to wait for the host, with signals let through")                                                        \
  ANY(close, "to give a descriptor up early")                                                                         \
  BETWEEN(clock_gettime, 0, clock, "Date; CPU time; where the vDSO cannot", CLOCK_REALTIME, CLOCK_THREAD_CPUTIME_ID)  \
  ONE_OF(setitimer, 0, which, "deadlines", ITIMER_REAL)                                                               \
  ANY(rt_sigreturn, "to leave a signal handler")                                                                      \
  ANY(rt_sigprocmask, "to unwind out of one")                                                                         \
  ANY(getrandom, "random numbers of its own")                                                                         \
  ANY(restart_syscall, "ppoll after SIGSTOP and SIGCONT")                                                             \
  ANY(exit, "the end")                                                                                                \
  ANY(exit_group, "the end")

/* Has every call of the runner's list too, with the same or wider arguments: in a sandbox a call must pass both. */
#define ZYGOTE_CALLS(ANY, BETWEEN, ONE_OF, clone_flags)                                                               \
  ANY(read, "the report pipe; frames in a sandbox")                                                                   \
  ANY(write, "the report pipe; frames and diagnostics in a sandbox")                                                  \
  ANY(writev, "as the runner's")                                                                                      \
  ANY(ppoll, "to wait for requests and for ends of sandboxes; as the runner's")                                       \
  ANY(close, "descriptors that were handed on; as the runner's")                                                      \
  ANY(clock_gettime, "as the runner's")                                                                               \
  ANY(setitimer, "as the runner's")                                                                                   \
  ANY(rt_sigreturn, "as the runner's")                                                                                \
  ANY(rt_sigprocmask, "as the runner's")                                                                              \
  ANY(getrandom, "as the runner's")                                                                                   \
  ANY(restart_syscall, "as the runner's")                                                                             \
  ANY(exit, "the end")                                                                                                \
  ANY(exit_group, "the end")                                                                                          \
  ONE_OF(recvmsg, 0, fd, "requests", 3)                                                                               \
  ONE_OF(sendmsg, 0, fd, "reports", 3)                                                                                \
  ONE_OF(clone, 0, flags, "a sandbox, and nothing else", clone_flags)                                                 \
  ANY(wait4, "to reap, with usage")                                                                                   \
  ONE_OF(setpriority, 2, value, "5: a sandbox gives way to its host; 12: more so once it used much CPU time",          \
         SANDBOX_NICE, DEMOTED_NICE)                                                                                  \
  ANY(dup3, "to place the sandbox's descriptors")                                                                     \
  ANY(close_range, "and to close all others")                                                                         \
  ANY(setsid, "a session for a sandbox of 'strict'")                                                                  \
  ANY(getppid, "whether the launcher is still there, where no PID namespace says so")                                 \
  ONE_OF(prctl, 0, option, "to die with the launcher; to drop what is left", PR_SET_PDEATHSIG, PR_CAPBSET_DROP,       \
         PR_CAP_AMBIENT, PR_SET_SECUREBITS)                                                                           \
  ANY(prlimit64, "limits that only a sandbox can live with")                                                          \
  ANY(capset, "to drop what is left")                                                                                 \
  ONE_OF(seccomp, 0, operation, "the second stage", SECCOMP_SET_MODE_FILTER)

/* What runner_after_clone() needs beyond the zygote's own calls. */
#define RUNNER_PREPARATION_CALLS(ANY, BETWEEN, ONE_OF)                                                                \
  ONE_OF(fcntl, 1, command, "the bridge must never block outside of ppoll", F_SETFL)                                  \
  ONE_OF(madvise, 2, advice, "its own copies of the pages that it will write", MADV_POPULATE_WRITE)

/* What a zygote needs that is its own host: bench/floor, whose build defines this. The launcher's never does. */
#ifdef ZYGOTE_IS_HOST
#define HOST_CALLS(ANY, BETWEEN, ONE_OF)                                                                              \
  ANY(socketpair, "bridges")                                                                                          \
  ANY(sendto, "frames, without a signal where nobody reads them")
#else
#define HOST_CALLS(ANY, BETWEEN, ONE_OF)
#endif

#endif
