/*
 * The zygote's children: which sandbox each PID is, and whether it gives way to the others. A fixed table, since the zygote
 * allocates nothing once it serves.
 */
#ifndef WARDENPOOL_CHILDREN_H
#define WARDENPOOL_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* More live sandboxes than this, and the launcher refuses to clone (EAGAIN). */
#define CHILDREN_MAXIMUM 8192

/* Maps the table. 0, or -1 with errno. */
int children_prepare(void);

bool children_full(void);
void children_add(pid_t pid, uint32_t sandbox);
/* Forgets the PID. False if it was not in the table: a process that the zygote did not clone. */
bool children_remove(pid_t pid, uint32_t *sandbox);
/* Calls `demote` for each child that has not been demoted; it says whether this one is now. */
void children_demote(bool (*demote)(pid_t pid));

#endif
