/*
 * Where the memory of a run lies: in one stretch of address space, so that a clone has few page tables.
 *
 * The kernel makes a page table for every 2 MiB, and another for every GiB, in which a process has touched a page; it
 * copies them for each clone, and takes them apart when the clone ends. A run touches few pages of many mappings, so
 * these are laid out by where they are used: the stack ends where the buffers begin, and all of it lies behind the program.
 *
 *   program │ … guest stack │ buffers … │ linear memory …
 *            used from its end ┘ └ used from their start
 */
#ifndef WARDENPOOL_ADDRESS_SPACE_H
#define WARDENPOOL_ADDRESS_SPACE_H

#include <stddef.h>
#include <stdint.h>

/* Of the kernel's pages. runner_on_guest_stack() refuses to go on with others. */
#define ADDRESS_SPACE_PAGE_BYTES 4096u

/* What a module can reach: 32 bits of base, 32 bits of offset, and the widest access. */
#define ADDRESS_SPACE_LINEAR_BYTES ((UINT64_C(1) << 33) + (UINT64_C(1) << 16))

/* All of it is readable and writable, zeroed, in small pages, and costs memory only where it is touched. */

/* The part that ends where the buffers begin. Once, first of all. NULL with errno. */
void *address_space_stack(size_t bytes);

/* The next piece, aligned to a page. NULL with errno. */
void *address_space_buffer(size_t bytes);

/*
 * The last piece: ADDRESS_SPACE_LINEAR_BYTES that are nobody else's, of which the first `bytes` are accessible. Once. NULL
 * with errno.
 */
void *address_space_linear_memory(size_t bytes);

#endif
