/* One process of the floor: a zygote, and the host of the sandboxes that it clones. */
#ifndef WARDENPOOL_FLOOR_PART_H
#define WARDENPOOL_FLOOR_PART_H

#include "measurement.h"
#include "options.h"
#include "workload.h"

/* In a process of its own, with its end of a socket pair as CONTROL_DESCRIPTOR. Exits with 0 when nothing is left. */
__attribute__((noreturn)) void part_run(const struct options *options, unsigned in_flight,
                                        const struct workload *workload, struct measurement *measurement,
                                        struct part_report *report);

#endif
