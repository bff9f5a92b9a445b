/* The processes that do the work: started together, waited for, and ended together if one fails. */
#ifndef WARDENPOOL_FLOOR_PARTS_H
#define WARDENPOOL_FLOOR_PARTS_H

#include "measurement.h"
#include "options.h"
#include "workload.h"

/* Returns when all have ended well; calls fail() if one has not, with none left. */
void parts_run(const struct options *options, const struct workload *workload, struct measurement *measurement);

#endif
