// SPDX-License-Identifier: MIT
#include "quantile/sort_ascending.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>

namespace lbw {

void sort_ascending(std::span<double> values) {
  const hwy::Sorter sorter;
  sorter(values.data(), values.size(), hwy::SortAscending());
  // Highway 1.0 does not fully sort some short arrays whose values differ only in the last bits
  if (!std::is_sorted(values.begin(), values.end())) std::sort(values.begin(), values.end());
}

}  // namespace lbw
