/* Which sandbox a reaped PID was: a fixed table, since the zygote allocates nothing once it serves. */
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

#endif
