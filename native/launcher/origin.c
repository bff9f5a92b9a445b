/*
 * A statically linked C library looks up the directory of its program when it starts, and keeps it in memory for good: for $ORIGIN in
 * paths of libraries, of which there are none here. Sandboxes would have it in their memory, a path of the host. This function stands
 * in the place of glibc's; the value is its own for "unknown". Another C library does not ask.
 */
const char *_dl_get_origin(void);

const char *_dl_get_origin(void) { return (const char *)-1; }
