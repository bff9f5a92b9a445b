/* The terminal frame: outcome and causes to stop, in one frame that always fits. Needs no guest. */
#ifndef WARDENPOOL_TERMINAL_FRAME_H
#define WARDENPOOL_TERMINAL_FRAME_H

/* Makes the outcome that of the most important cause to stop, if there is any. */
void terminal_frame_apply_causes(void);

/* Sends the frame. What to exit with. */
int terminal_frame_send(void);

#endif
