// SPDX-License-Identifier: MIT
// Lets wheels that are linked with a newer glibc run with glibc 2.34 (see lbw_link_settings). The
// linker replaces references to functions that have a newer version by references to __wrap_*.
#include <unistd.h>
#include <cstdlib>

#ifdef __x86_64__
#define LBW_FIRST_GLIBC "GLIBC_2.2.5"
#else
#define LBW_FIRST_GLIBC "GLIBC_2.17"
#endif

// glibc 2.35 has a second version of hypot, which differs in errno only.
__asm__(".symver first_hypot, hypot@" LBW_FIRST_GLIBC);
extern "C" double first_hypot(double x, double y);
extern "C" double __wrap_hypot(double x, double y) { return first_hypot(x, y); }

// glibc 2.36. GCC's library uses it for std::random_device, which lbw does not call.
extern "C" unsigned __wrap_arc4random() {
  unsigned value = 0;
  if (::getentropy(&value, sizeof value) != 0) std::abort();
  return value;
}
