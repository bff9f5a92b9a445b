/* What runner_after_clone() does, for a process whose socket may not be descriptor 3: code-runner. */
#ifndef WARDENPOOL_RUNNER_PROCESS_H
#define WARDENPOOL_RUNNER_PROCESS_H

/* Makes the socket non-blocking, holds the stop signals back, reseeds. 0, or -1 with errno. */
int runner_prepare_process(int descriptor);

/* For the rehearsal, whose program is our own: it needs two calls and some milliseconds, whatever programs may have. */
void runner_lift_ceilings(void);

#endif
