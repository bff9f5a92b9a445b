/* What the launcher's files share: how a failed step is reported, and the order of the stages. */
#ifndef WARDENPOOL_LAUNCHER_H
#define WARDENPOOL_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "control/control.h"
#include "control/steps.h"

/* Reports FAILED with this step and errno (or `detail`) to the host, and exits: a launcher never goes on after a step failed. */
__attribute__((noreturn)) void launcher_fail(enum confinement_step step, int error, const char *detail);

/* What is to be undone on disk before a launcher that failed exits; NULL: nothing. */
extern void (*launcher_undo)(void);

/* What the host configured for all sandboxes of this launcher. */
struct sandbox_settings {
  enum control_namespaces namespaces;
  uint64_t cpu_ms; /* CPU time that a run may have at most; 0: no limit */
  pid_t launcher;  /* with CONTROL_NAMESPACES_NONE: the parent of each sandbox, as long as it is there */
};

/* nobody and nogroup, wherever there is a user database; the kernel's overflow ids everywhere. */
#define UNPRIVILEGED_ID 65534

/* zygote.c: how each of them is cloned. */
uint32_t sandbox_clone_flags(enum control_namespaces namespaces);

/* enter.c: outside the namespaces. Returns in the process that is PID 1 of the new PID namespace; its parent exits. */
void enter_namespaces(void);
/* Its stages. First, for every way in: gives up what the host's own parent left open, and becomes an unprivileged user. */
void leave_host(void);
/* That in parts, for a launcher with work between them. */
void close_inherited(void);
void raise_oom_score(void);
bool is_root_outside(void);
void leave_root(void);
void note_identity(void);
/* `namespaces`: CLONE_NEW* flags, with CLONE_NEWPID. */
void clone_inside(unsigned long namespaces);
/* Hands the host a pidfd of the process that stays; `child`: its number, if it is the host's own child. 0, or -1 with errno. */
int send_started(int pidfd, pid_t child);

/* Facts that only the process outside can know, for READY. */
struct identity {
  uint32_t user_id, group_id, supplementary_groups, bounding_set;
};
extern struct identity identity;

/*
 * reaper.c: the other way in, without a namespace. Returns in the launcher; its parent stays, to reap the sandboxes that a
 * launcher leaves behind when it is killed, and ends when all are gone.
 */
void enter_without_namespaces(void);
/* reaper.c: whether that parent is there. */
bool reaper_is_there(void);

/* empty_root.c: inside the namespaces, as their PID 1. */
void enter_empty_root(void);
/* The stages of it. `options`: of the tmpfs that becomes the root, and stays writable until write_protect_root(). */
void map_identity(void);
void make_mounts_private(void);
void pivot_into_empty_root(const char *options);
void write_protect_root(void);
void forget_host_name(void);

/* main.c: every disposition is the default, but for SIGCHLD, which is let through in ppoll() only. */
void reset_signals(void);

/* harden.c: what a zygote does once, so that no sandbox has to. Returns the Landlock ABI in force, 0 if there is none. */
uint32_t harden_launcher(const struct sandbox_settings *settings);
/* Drops the bounding and ambient sets of the current user namespace. 0, or -1 with errno. */
int clear_bounding_set(void);
int lock_securebits(void);
/* Leaves exactly this set of capabilities permitted and effective, none inheritable. 0, or -1 with errno. */
int keep_capabilities(uint64_t set);

/* zygote.c: what it needs to serve, got while it may still open and map. */
void prepare_to_serve(void);
/* Zeroed memory that clones do not have: nothing in it is copied, and writing to it never copies a page. NULL with errno. */
void *map_for_zygote_only(size_t size);
/* zygote.c: serves SPAWN requests until the control socket ends, and exits. `settings` must stay where it is. */
__attribute__((noreturn)) void serve_sandboxes(const struct sandbox_settings *settings);

/* demote.c: sandboxes that have used this much CPU time, or more, give way to the others. */
void demote_busy_sandboxes(uint32_t cpu_ms);

/* child.c: in a fresh clone; takes the sandbox steps, runs, and exits. `report` is the pipe for a failed step. */
__attribute__((noreturn)) void run_sandbox(uint32_t sandbox, int bridge, int diagnostics, int report,
                                           const struct sandbox_settings *settings);

/* Exit code of a clone that could not take a step and has said so on the report pipe. */
#define STEP_FAILED_EXIT_CODE 125

struct step_report {
  uint32_t sandbox, step;
  int32_t error;
};

#endif
