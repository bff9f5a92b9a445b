/* Sentences for people, on stderr. Knows nothing of frames. */
#ifndef WARDENPOOL_DIAGNOSTICS_H
#define WARDENPOOL_DIAGNOSTICS_H

/* Writes one line, prefixed by "code-runner: ". Allocates nothing; what does not fit a line of 512 bytes is
 * cut. */
__attribute__((format(printf, 1, 2))) void diagnose(const char *format, ...);

#endif
