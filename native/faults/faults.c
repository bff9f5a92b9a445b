/* The order and the log: see faults.h. It makes no system call once the file is mapped, since most of its processes may make none. */
#include "faults.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

struct faults *faults;
uint32_t fault_depth;

static volatile char *volatile nowhere;

long __real_syscall(long number, ...);
extern const char __ehdr_start[];

__attribute__((constructor)) static void map_file(void) {
  bool is_inside = false;
  int file = fault_file(&is_inside);
  if (file < 0) return;
  if (is_inside) fault_depth = FAULT_DEPTH_INSIDE;
  long mapped = __real_syscall(SYS_mmap, NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  (void)__real_syscall(SYS_close, file);
  if (mapped > 0) faults = (struct faults *)mapped;
}

static void note(const char *call, uint64_t place) {
  uint32_t index = __atomic_fetch_add(&faults->logged, 1, __ATOMIC_RELAXED);
  if (index >= FAULT_LOG_CALLS) return;
  struct fault_call *entry = &faults->log[index];
  strncpy(entry->call, call, sizeof entry->call - 1);
  entry->place = place;
  entry->depth = fault_depth;
}

int fault_at(const char *call, const void *where) {
  if (!faults) return 0;
  uint64_t place = (uint64_t)((const char *)where - __ehdr_start);
  note(call, place);
  struct fault_order *order = &faults->order;
  if (order->times == 0 || order->depth != fault_depth) return 0;
  if (order->place != 0 && order->place != place) return 0;
  if (order->call[0] != '\0' && strncmp(order->call, call, sizeof order->call) != 0) return 0;
  uint32_t before = __atomic_fetch_add(&order->matched, 1, __ATOMIC_RELAXED);
  if (before < order->skip || before - order->skip >= order->times) return 0;
  __atomic_fetch_add(&order->carried_out, 1, __ATOMIC_RELAXED);
  if (order->error == FAULT_DIES) __builtin_trap();
  if (order->error == FAULT_SEGMENTATION) *nowhere = 0;
  return order->error;
}
