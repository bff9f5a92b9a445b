/* What is measured; see measurement.h. */
#include "measurement.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "failure.h"

struct measurement *measurement_map(unsigned long count, unsigned parts) {
  size_t size = sizeof(struct measurement) + parts * sizeof(struct part_report) + count * sizeof(int64_t);
  struct measurement *measurement = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (measurement == MAP_FAILED) fail_with_errno("cannot map memory for the figures");
  measurement->mapped_bytes = size;
  measurement->count = count;
  measurement->parts = parts;
  measurement->left = (long)count;
  measurement->reports = (struct part_report *)(measurement + 1);
  measurement->latencies = (int64_t *)(measurement->reports + parts);
  return measurement;
}

void measurement_keep_from_clones(struct measurement *measurement) {
  if (madvise(measurement, measurement->mapped_bytes, MADV_DONTFORK) < 0)
    fail_with_errno("cannot keep the figures out of the sandboxes");
}

long measurement_take(struct measurement *measurement) {
  if (atomic_load(&measurement->left) <= 0) return -1;
  long left = atomic_fetch_sub(&measurement->left, 1);
  return left > 0 ? left - 1 : -1;
}

static int compare_times(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return a < b ? -1 : a > b;
}

/* As bench/measure.ts takes it. */
static double quantile_ms(const struct measurement *measurement, double share) {
  unsigned long index = (unsigned long)((double)measurement->count * share);
  return (double)measurement->latencies[index < measurement->count ? index : measurement->count - 1] / 1e6;
}

void measurement_print(struct measurement *measurement) {
  struct part_report total = measurement->reports[0];
  for (unsigned i = 1; i < measurement->parts; i++) {
    const struct part_report *report = &measurement->reports[i];
    if (report->started_at < total.started_at) total.started_at = report->started_at;
    if (report->ended_at > total.ended_at) total.ended_at = report->ended_at;
    total.host_cpu += report->host_cpu;
    total.sandbox_cpu_us += report->sandbox_cpu_us;
    total.minor_faults += report->minor_faults;
    total.context_switches += report->context_switches;
  }
  qsort(measurement->latencies, measurement->count, sizeof *measurement->latencies, compare_times);
  double count = (double)measurement->count;
  double seconds = (double)(total.ended_at - total.started_at) / 1e9;
  double cpu_ms = (double)total.host_cpu / 1e6 + (double)total.sandbox_cpu_us / 1e3;
  printf("{\"perSecond\":%.2f,\"p50Ms\":%.4f,\"p99Ms\":%.4f,\"cpuMs\":%.4f,", count / seconds,
         quantile_ms(measurement, 0.5), quantile_ms(measurement, 0.99), cpu_ms / count);
  printf("\"minorFaults\":%.2f,\"contextSwitches\":%.2f}\n", (double)total.minor_faults / count,
         (double)total.context_switches / count);
  if (fflush(stdout) != 0) fail_with_errno("cannot write the figures");
}
