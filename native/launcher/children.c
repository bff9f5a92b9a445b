/* Open addressing with linear probing; removal closes the gap, so that lookups stay short however long it runs. */
#include "children.h"

#include "launcher.h"

#define SLOTS (2 * CHILDREN_MAXIMUM)

static struct child {
  pid_t pid; /* 0: free */
  uint32_t sandbox;
  bool is_demoted;
} *slots;
static unsigned *count;

int children_prepare(void) {
  slots = map_for_zygote_only(SLOTS * sizeof *slots);
  count = map_for_zygote_only(sizeof *count);
  return slots && count ? 0 : -1;
}

static unsigned home(pid_t pid) { return (unsigned)pid % SLOTS; }

bool children_full(void) { return *count == CHILDREN_MAXIMUM; }

void children_add(pid_t pid, uint32_t sandbox) {
  unsigned slot = home(pid);
  while (slots[slot].pid) slot = (slot + 1) % SLOTS;
  slots[slot] = (struct child){.pid = pid, .sandbox = sandbox};
  ++*count;
}

bool children_remove(pid_t pid, uint32_t *sandbox) {
  unsigned slot = home(pid);
  while (slots[slot].pid != pid) {
    if (!slots[slot].pid) return false;
    slot = (slot + 1) % SLOTS;
  }
  *sandbox = slots[slot].sandbox;
  --*count;
  for (unsigned next = (slot + 1) % SLOTS; slots[next].pid; next = (next + 1) % SLOTS) {
    /* An entry may move into the gap unless its home lies behind the gap, on the way to where it is. */
    unsigned distance_home = (next + SLOTS - home(slots[next].pid)) % SLOTS;
    unsigned distance_gap = (next + SLOTS - slot) % SLOTS;
    if (distance_home < distance_gap) continue;
    slots[slot] = slots[next];
    slot = next;
  }
  slots[slot].pid = 0;
  return true;
}

void children_demote(bool (*demote)(pid_t pid)) {
  for (unsigned slot = 0, left = *count; left > 0 && slot < SLOTS; slot++) {
    if (!slots[slot].pid) continue;
    left--;
    if (!slots[slot].is_demoted) slots[slot].is_demoted = demote(slots[slot].pid);
  }
}
