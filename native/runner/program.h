/* Compiles the submitted text and runs it until it settles. Knows nothing of how a run is reported. */
#ifndef WARDENPOOL_PROGRAM_H
#define WARDENPOOL_PROGRAM_H

/* Runs the program of bridge_execution to its outcome. May unwind; then the outcome is not set. */
void program_run(void);

#endif
