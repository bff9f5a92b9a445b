/*
 * In the place of install_filter(), by the linker, in a launcher for tests only: no filter is ever installed, so that what stands
 * behind the filters can be attacked. Everything else is as it is.
 */
#include "launcher/seccomp_filter.h"

int __wrap_install_filter(const struct filter *filter);

int __wrap_install_filter(const struct filter *filter) {
  (void)filter;
  return 0;
}
