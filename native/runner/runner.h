/*
 * The runner, as its two hosts see it: the launcher (which clones it) and code-runner (which is it).
 *
 * A process calls runner_initialise() once: it brings up the engine, empty, with every page that a run may
 * need mapped. From then on the process can be cloned any number of times; each clone calls
 * runner_after_clone() before its last confinement step, and runner_execute() after it, once.
 *
 * The runner knows nothing of namespaces, processes or the host; it speaks code-bridge-v1 on one descriptor.
 */
#ifndef WARDENPOOL_RUNNER_H
#define WARDENPOOL_RUNNER_H

#include <stddef.h>
#include <stdint.h>

#define RUNNER_VERSION "0.1.0"

/* The most that any run of this process may get, whatever its `execute` frame asks for. */
struct runner_ceilings {
  uint64_t memory_bytes;          /* engine heap, bytes */
  uint64_t stack_bytes;           /* engine stack, bytes; the engine gets at most 900 KiB of it */
  uint64_t timeout_ms;            /* wall time from `execute` on, milliseconds */
  uint64_t cpu_ms;                /* the guest's CPU time, milliseconds; 0: no ceiling */
  uint64_t max_calls;             /* tool calls */
  uint64_t max_concurrent_calls;  /* outstanding tool calls, with `parallel-tools` */
  uint64_t max_frame_bytes;       /* one frame, without its newline, either direction */
  uint64_t max_result_bytes;      /* JSON text of the result */
  uint64_t max_log_bytes;         /* text of all console calls together */
};

/*
 * Moves the process to a mapped native stack of 64 MiB with a guard below it and calls `continuation` there,
 * once. Never returns: the process exits with what the continuation returns. Call it first thing in main(). Children of
 * the process do not have the stack that it leaves, with its arguments and environment.
 */
__attribute__((noreturn)) void runner_on_guest_stack(int (*continuation)(void *), void *argument);

/*
 * Brings up an empty engine under these ceilings: memory mapped up to the ceiling, bootstrap evaluated,
 * signal handlers and alternate stack in place. Once per process. 0, or -1 with a sentence in `error`.
 */
int runner_initialise(const struct runner_ceilings *ceilings, char *error, size_t error_size);

/*
 * For a process that will be cloned, after runner_initialise(): runs one small program in a child, to see that the engine
 * works, and to learn which pages a clone should get up front. 0, or -1 with a sentence in `error`.
 */
int runner_rehearse(char *error, size_t error_size);

/*
 * In a clone (or in code-runner itself), before its last seccomp filter: everything per process that the
 * filter would refuse. Reseeds what siblings would otherwise share. Allocates nothing. 0, or -1 with errno.
 */
int runner_after_clone(void);

/*
 * One execution over the connected stream socket `fd`. Uses only the system calls of the runner's allow-list
 * (native/launcher/allow_list.h). Returns the exit code: 0 a terminal frame was sent, 1 the content of
 * `execute` was refused or no frame could be sent, 2 the first frame could not be read or parsed.
 */
int runner_execute(int fd);

/* The engine's own version text, after runner_initialise(). */
const char *runner_engine_version(void);

#endif
