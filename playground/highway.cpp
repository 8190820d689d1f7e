// SPDX-License-Identifier: MIT
// The functions of the libraries hwy and hwy_contrib that lbw calls. Everything else is in their
// headers, and Debian does not have the libraries for WebAssembly.
#include <hwy/aligned_allocator.h>
#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <cstdlib>

namespace hwy {

void* AllocateAlignedBytes(size_t payload_size, AllocPtr /*allocate*/, void* /*opaque*/) {
  const size_t n_lines = std::max<size_t>(1, (payload_size + HWY_ALIGNMENT - 1) / HWY_ALIGNMENT);
  return std::aligned_alloc(HWY_ALIGNMENT, n_lines * HWY_ALIGNMENT);
}

void FreeAlignedBytes(const void* pointer, FreePtr /*release*/, void* /*opaque*/) {
  std::free(const_cast<void*>(pointer));
}

Sorter::Sorter() = default;
void Sorter::Delete() {}

void Sorter::operator()(double* keys, size_t n, SortAscending /*order*/) const {
  std::sort(keys, keys + n);
}

}  // namespace hwy
