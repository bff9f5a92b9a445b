/*
 * Sandboxes that have used much CPU time give way to those that have not: what waits for a tool or has just begun runs
 * first, whatever its neighbours compute. By the launcher and not by the sandbox, whose filter has no call for it, and not by the
 * host: the launcher is the parent and has not reaped it, so that the number is no other process's.
 */
#include <sys/resource.h>
#include <time.h>

#include "allow_list.h"
#include "children.h"
#include "launcher.h"

static uint64_t most_ns;

/* The kernel's number for the CPU time of a process (include/linux/posix-timers_types.h); glibc would ask first whether it is there. */
static clockid_t cpu_clock_of(pid_t pid) { return (clockid_t)(~(unsigned)pid << 3 | 2); }

static bool demote(pid_t pid) {
  struct timespec used;
  if (clock_gettime(cpu_clock_of(pid), &used) < 0) return false;
  if ((uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec < most_ns) return false;
  /* Nobody is less confined if it fails: the neighbours wait a little longer. */
  (void)setpriority(PRIO_PROCESS, (id_t)pid, DEMOTED_NICE);
  return true;
}

void demote_busy_sandboxes(uint32_t cpu_ms) {
  most_ns = (uint64_t)cpu_ms * 1000000u;
  children_demote(demote);
}
