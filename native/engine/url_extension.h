/*
 * The engine's extension with the URL parser (ada): a side module, translated like the engine, that shares its memory,
 * table and stack and is guest code as the engine is. It gives the context two classes, `URL` and `URLSearchParams`, in
 * a raw state. Knows nothing of what programs get to see of them.
 */
#ifndef WARDENPOOL_URL_EXTENSION_H
#define WARDENPOOL_URL_EXTENSION_H

/*
 * Takes its place in memory and table. Right after the engine is instantiated, before any of its code runs: the place was
 * fixed when both were translated, and only then nobody else has it yet. 0, or -1.
 */
int url_extension_reserve(void);

/* Makes the two classes properties of the global object of the engine's context. Once, under BOUNDARY_SET. 0, or -1. */
int url_extension_start(void);

#endif
