/* A sandbox as its host has it: cloned, and reaped. Knows nothing of frames. */
#ifndef WARDENPOOL_FLOOR_SANDBOX_H
#define WARDENPOOL_FLOOR_SANDBOX_H

#include <sys/resource.h>
#include <sys/types.h>

#include "launcher/launcher.h"

struct sandbox {
  pid_t pid;   /* 0: there is none */
  int process; /* pidfd: readable when it has ended */
  int bridge;  /* non-blocking */
};

/* What is needed to clone, got while the process may still open. The settings must stay where they are. */
void sandbox_prepare(const struct sandbox_settings *settings);

/* Clones one that takes every step of confinement and then waits for its frame. */
struct sandbox sandbox_clone(void);

/* Waits for its end and closes what belongs to it. The wait status, with the usage; nothing that it sent is read. */
int sandbox_reap(struct sandbox *sandbox, struct rusage *usage);

/* Ends one that waits for its frame. */
void sandbox_discard(struct sandbox *sandbox);

/* Says how it ended, with what sandboxes wrote to their diagnostics, and gives up. */
__attribute__((noreturn)) void sandbox_fail_for_end(int wait_status);

#endif
