/* What the files of the command mode share. Everything here reports a failed step by launcher_fail() and does not return then. */
#ifndef WARDENPOOL_COMMAND_H
#define WARDENPOOL_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "control/control.h"
#include "launcher/seccomp_filter.h"
#include "plan.h"

/*
 * command.c: serves one command and exits. The control socket is where control.h says. `is_inside`: a tool made the namespaces
 * and the root that it is in.
 */
__attribute__((noreturn)) void serve_command(bool is_inside);

/* What the command's process starts with: the descriptors that came with the request, and one of our own. */
struct descriptors {
  int bridge;                                   /* -1: none */
  int input, output, diagnostics;               /* to be 0, 1 and 2 */
  uint32_t preserved_count;
  int *preserved;
  int ruleset;                                  /* of Landlock; -1: none */
};

/*
 * request.c: waits for the request, looks at it, and leaves it in the socket. Returns NULL, or what is wrong with it; a failed call is
 * reported by launcher_fail(). `plan`: the file with the plan, or -1 if the host is gone.
 */
const char *look_at_request(struct descriptors *descriptors, int *plan);

/* tool.c: has another program make the sandbox, and execute this binary in it. */
__attribute__((noreturn)) void serve_tool(const struct plan *plan);
/* What is open in that program. */
enum tool_descriptor {
  TOOL_OPTIONS = CONTROL_DESCRIPTOR + 1, /* its options, from the plan */
  TOOL_LAUNCHER,                         /* this binary */
  TOOL_NOTES,                            /* of note_grants(), for the launcher inside */
  TOOL_FILES,                            /* the content of the plan's first file; the next, of the second; and so on */
};

/* check.c: what each granted path of the host is, in a file. */
int note_grants(const struct plan *plan);
/* Inside: takes that file from TOOL_NOTES; then fails if something is not mounted where the plan says, or is something else. */
void read_noted_grants(void);
void check_root(const struct plan *plan);

/* remove.c: removes a directory with all that is in it. The exit code of the process. */
int remove_directory(const char *path);

/* grants.c: detaches a copy of the mounts of every granted path, with its flags set. Runs where the host's paths still are. */
void clone_grants(struct plan *plan, bool as_root);
/* O_PATH, and fails on every link on the way. -1 with errno. */
int open_without_links(const char *path);

/* root.c: the operations, inside the new root, which is the current directory's. `proc`: a detached procfs, or -1. */
void build_root(struct plan *plan, int proc);

/* absent.c: fails if the operation's target exists, or a link is on the way to it. */
void expect_absent(const struct operation *operation);

/*
 * places.c: keeps `name` in the directory `parent` from being made by anybody, with an empty directory of our own. `parent` becomes
 * its; all of it must stay where it is. `target`: the whole path in the sandbox.
 */
void hold_place(int parent, const char *name, const char *target);
/* Takes away the places that are held, once nothing of the command is left. Those that others hold too stay. */
void release_places(void);
bool holds_places(void);

/* landlock.c: a ruleset by which only what the plan grants can be written; -1 and ABI 0 if the kernel has none that serves. */
int command_ruleset(const struct plan *plan, uint32_t *abi);

/* command_filter.c: the deny-list of commands. 0, or -1 if it does not fit. */
int build_command_filter(struct filter *filter);

/* child.c: in a fresh clone of `launcher`; takes the last steps and executes the command. `report`: close-on-exec. */
__attribute__((noreturn)) void execute_command(const struct plan *plan, const struct descriptors *descriptors, int report,
                                               const struct filter *filter, pid_t launcher);

#endif
