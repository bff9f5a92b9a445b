/*
 * The control protocol: what the host's addon and a launcher say to each other over a SOCK_SEQPACKET socket pair.
 *
 * One message is one packet, one struct below, in the machine's own byte order: both ends are built together and run
 * on the same machine. Descriptors travel beside a packet as SCM_RIGHTS. Neither end trusts the length of what it gets.
 *
 *   host → launcher    A zygote: CONFIGURE once, then SPAWN (+ bridge socket, + diagnostics pipe) and DEMOTE any number of
 *                      times.
 *                      A command launcher: COMMAND (+ the plan, + the command's descriptors) once.
 *                      Closing the socket ends the launcher, and with it every sandbox.
 *   launcher → host    STARTED (+ pidfd of the process that stays), READY or FAILED, then per sandbox SPAWNED (+ pidfd)
 *                      or SPAWN_FAILED, and after SPAWNED exactly one EXITED.
 */
#ifndef WARDENPOOL_CONTROL_H
#define WARDENPOOL_CONTROL_H

#include <stdint.h>

#define CONTROL_VERSION 1u

/* The descriptor at which a launcher finds its end of the socket. */
#define CONTROL_DESCRIPTOR 3

/* Instructions of the longer of the two seccomp filters that a launcher may report. */
#define CONTROL_FILTER_CAPACITY 512

/* Numbers in CONFIGURE that the launcher hands to the runner unread. */
#define CONTROL_CEILINGS 9

enum control_type {
  CONTROL_CONFIGURE = 1,
  CONTROL_SPAWN,
  CONTROL_STARTED,
  CONTROL_READY,
  CONTROL_FAILED,
  CONTROL_SPAWNED,
  CONTROL_SPAWN_FAILED,
  CONTROL_EXITED,
  CONTROL_COMMAND,
  CONTROL_DEMOTE,
};

/* What a launcher's sandboxes have of namespaces. */
enum control_namespaces {
  CONTROL_NAMESPACES_SHARED = 0, /* a PID namespace for each; the launcher's own, empty ones otherwise */
  CONTROL_NAMESPACES_OWN = 1,    /* one of every namespace for each */
  CONTROL_NAMESPACES_NONE = 2,   /* the host's, for the launcher too: what confines them is the filters alone */
};

struct control_configure {
  uint32_t type;
  uint32_t version;
  uint32_t namespaces; /* enum control_namespaces */
  uint32_t reserved;
  uint64_t ceilings[CONTROL_CEILINGS]; /* struct runner_ceilings */
};

struct control_spawn {
  uint32_t type;
  uint32_t sandbox; /* the host's number for it */
};

/* Sandboxes that have used more CPU time than this give way to the others, from now on. */
struct control_demote {
  uint32_t type;
  uint32_t cpu_ms;
};

/* How the descriptors beside COMMAND are used. The first is always the plan (native/command/plan.h), as a file. */
enum control_io {
  CONTROL_IO_DUPLEX = 1, /* then the bridge, to be 3, and the diagnostics pipe, to be 1 and 2; 0 is /dev/null */
  CONTROL_IO_INHERIT,    /* then what is to be 0, 1 and 2; there is no 3 */
};
/* Descriptors of the host that a command may get besides; a packet takes 253 in all. */
#define CONTROL_PRESERVED 200

struct control_command {
  uint32_t type;
  uint32_t version;
  uint32_t io;        /* enum control_io */
  uint32_t preserved; /* how many descriptors follow; the plan has their numbers */
};

struct control_started {
  uint32_t type;
  uint32_t version;
  int32_t child; /* the process that stays, where it is a child of the host's own; 0 where it is not */
  uint32_t reserved;
};

/* One classic BPF instruction, as the kernel has it (struct sock_filter). */
struct control_instruction {
  uint16_t code;
  uint8_t jump_true, jump_false;
  uint32_t operand;
};

struct control_ready {
  uint32_t type;
  uint32_t user_id, group_id;   /* the sandbox's, as the kernel knows them outside */
  uint32_t landlock_abi;        /* 0: the kernel has none */
  uint32_t supplementary_groups; /* how many the sandboxes keep */
  uint32_t bounding_set;         /* how many capabilities are left in their bounding set */
  char runner_version[16], engine_version[48];
  uint32_t procfs;              /* of a command: 1 if it has one */
  uint32_t zygote_filter_length, runner_filter_length; /* instructions; a command has only the second */
  struct control_instruction zygote_filter[CONTROL_FILTER_CAPACITY];
  struct control_instruction runner_filter[CONTROL_FILTER_CAPACITY];
};

struct control_failed {
  uint32_t type;
  uint32_t step; /* enum confinement_step */
  int32_t error; /* errno, or 0 where `detail` says it all */
  char detail[244];
};

struct control_spawned {
  uint32_t type;
  uint32_t sandbox;
};

struct control_spawn_failed {
  uint32_t type;
  uint32_t sandbox;
  uint32_t step;
  int32_t error;
};

struct control_exited {
  uint32_t type;
  uint32_t sandbox;
  int32_t wait_status;    /* as wait4() gives it */
  uint32_t failed_step;   /* the confinement step that the child could not take, or 0 */
  int32_t failed_error;   /* its errno */
  uint32_t reserved;
  uint64_t cpu_user_us, cpu_system_us;
  uint64_t peak_rss_bytes;
  uint64_t minor_faults, major_faults;
  uint64_t voluntary_switches, involuntary_switches;
};

#endif
