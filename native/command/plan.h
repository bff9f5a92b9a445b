/*
 * The plan of one command, as the host encodes it (src/executor/plan-encoding.ts): who runs it, where, with which limits,
 * and the operations that build its root, in their order. Strings are bytes without a NUL; integers have the machine's order.
 */
#ifndef WARDENPOOL_COMMAND_PLAN_H
#define WARDENPOOL_COMMAND_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_MAGIC 0x4e414c50u /* "PLAN" */
#define PLAN_VERSION 2u
#define PLAN_LARGEST ((size_t)64 << 20)

enum plan_flag {
  PLAN_NAMESPACES = 1 << 0,    /* user, mount, PID, IPC, UTS and cgroup namespaces of its own, and a root built for it */
  PLAN_NETWORK = 1 << 1,       /* with PLAN_NAMESPACES: a network namespace too, with nothing but a loopback */
  PLAN_WRITABLE_ROOT = 1 << 2, /* the root itself stays writable, and is gone with the command */
  PLAN_FILTER = 1 << 3,        /* the seccomp filter for commands, Landlock, no_new_privs, and no capabilities */
  PLAN_TOOL = 1 << 4,          /* with PLAN_NAMESPACES: namespaces and root are made by another program (tool.c) */
};

/* In the order in which the host encodes them; UINT64_MAX: as it is. */
enum plan_limit { LIMIT_CPU_SECONDS, LIMIT_FILE_BYTES, LIMIT_OPEN_FILES, LIMIT_PROCESSES, LIMIT_DATA_BYTES, LIMIT_COUNT };

enum operation_kind {
  OPERATION_DIRECTORY = 1, /* target; a: mode */
  OPERATION_FILE,          /* target; text: content; a: mode */
  OPERATION_LINK,          /* target; text: what it points to */
  OPERATION_GRANT,         /* target; text: the host's path; flags */
  OPERATION_TEMPORARY,     /* target; a: bytes, b: entries, at most */
  OPERATION_PROC,          /* target */
  OPERATION_HIDE,          /* target */
  OPERATION_WRITE_PROTECT, /* target */
  OPERATION_PIN,           /* target: a directory, which then cannot be renamed or removed */
  OPERATION_HOLD_PLACE,    /* target: does not exist; made, and removed at the end */
  OPERATION_ABSENT,        /* target: did not exist when the plan was made, below what cannot be written; must not exist */
};

enum grant_flag {
  GRANT_WRITE = 1 << 0,
  GRANT_DEVICES = 1 << 1,  /* device nodes work */
  GRANT_OWNER = 1 << 2,    /* its owner (a: user, b: group) becomes the sandbox's user, and the reverse: needs root */
};

struct operation {
  uint32_t kind, flags;
  uint64_t a, b;
  const char *target, *text;
  size_t text_length;
  int tree; /* of a grant: the detached mounts; else -1 */
};

struct plan {
  uint32_t flags;
  uint64_t limits[LIMIT_COUNT];
  uint64_t root_bytes, root_entries;
  const char *executable, *directory;
  char **arguments, **environment; /* ending with NULL */
  uint32_t operation_count;
  struct operation *operations;
  uint32_t preserved_count;
  const uint32_t *preserved; /* the numbers that the descriptors after the first few get */
  const char *tool;          /* with PLAN_TOOL; a path */
  char **tool_arguments, **tool_environment; /* ending with NULL */
  const char *tool_options;  /* what it reads at TOOL_OPTIONS */
  size_t tool_options_length;
};

/* Reads a plan from a descriptor and closes it. NULL, or what is wrong with it. What it allocates stays for good. */
const char *plan_read(int descriptor, struct plan *plan);

#endif
