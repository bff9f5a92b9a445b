/* The host's loop: so many executions at once, one after the other in each slot. */
#ifndef WARDENPOOL_FLOOR_HOST_H
#define WARDENPOOL_FLOOR_HOST_H

#include <stdbool.h>

#include "measurement.h"
#include "workload.h"

struct host;

/* Maps all that the loop needs. `warm`: each slot keeps a sandbox cloned ahead. */
struct host *host_make(const struct workload *workload, unsigned slots, bool warm);

/*
 * Runs executions until none is left, and reports what they took. The time of one begins before its sandbox is cloned
 * (`warm`: before its frame is sent) and ends when its sandbox has been reaped and its bridge has ended. Calls fail()
 * if anything is not as expected.
 */
void host_run(struct host *host, struct measurement *measurement, struct part_report *report);

/* Ends the sandboxes that were cloned ahead. */
void host_close(struct host *host);

#endif
