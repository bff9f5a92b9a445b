/* Tells AddressSanitizer what happens to stacks, in builds that have it (-DWARDENPOOL_SANITIZED). Nothing
 * otherwise. */
#ifndef WARDENPOOL_SANITIZER_H
#define WARDENPOOL_SANITIZER_H

#include <stddef.h>

#ifdef WARDENPOOL_SANITIZED
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
static inline void sanitizer_start_switch(const void *stack, size_t bytes) {
  __sanitizer_start_switch_fiber(NULL, stack, bytes);
}
static inline void sanitizer_finish_switch(void) { __sanitizer_finish_switch_fiber(NULL, NULL, NULL); }
/* A jump out of a handler on another stack leaves the frames that it abandons marked as in use. */
static inline void sanitizer_forget_frames(const void *stack, size_t bytes) {
  __asan_unpoison_memory_region(stack, bytes);
}
#else
static inline void sanitizer_start_switch(const void *stack, size_t bytes) {
  (void)stack;
  (void)bytes;
}
static inline void sanitizer_finish_switch(void) {}
static inline void sanitizer_forget_frames(const void *stack, size_t bytes) {
  (void)stack;
  (void)bytes;
}
#endif

#endif
