/* What the kernel lets a process of this kind do, found by trying it: for the doctor. */
#ifndef WARDENPOOL_SURVEY_H
#define WARDENPOOL_SURVEY_H

/*
 * Tries each system call that sandboxes are made with, and how deep namespaces can be nested, each in a process of its own
 * that is gone afterwards. Writes one line for each to stdout:
 *   call NAME ERRNO     0 or an errno of the call's own: it is there; ENOSYS: it is not; EPERM: refused; -1: it kills
 *   levels KIND COUNT   how many namespaces of this kind fit into each other from here
 * Returns the exit code.
 */
int survey(void);

#endif
