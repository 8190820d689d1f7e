// SPDX-License-Identifier: MIT
#include "quantile/sort_ascending.hpp"

#include <hwy/contrib/sort/vqsort.h>

namespace lbw {

void sort_ascending(std::span<double> values) {
  const hwy::Sorter sorter;
  sorter(values.data(), values.size(), hwy::SortAscending());
}

}  // namespace lbw
