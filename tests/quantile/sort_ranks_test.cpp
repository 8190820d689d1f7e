// SPDX-License-Identifier: MIT
#include "quantile/sort_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>

namespace lbw {
namespace {

enum class Shape { normal, heavy_tails, two_clusters, whole_numbers, constant, mostly_zero };

double drawn(Shape shape, Random& random) {
  const double normal = random.normal();
  switch (shape) {
    case Shape::normal:
      return normal;
    case Shape::heavy_tails:
      return std::sinh(10.0 * normal);
    case Shape::two_clusters:
      return 1e-3 * normal + (random.uniform() < 0.5 ? -5.0 : 5.0);
    case Shape::whole_numbers:
      return std::round(2.0 * normal);
    case Shape::constant:
      return 3.0;
    case Shape::mostly_zero:
      return random.uniform() < 0.9 ? -0.0 : normal;
  }
  return 0.0;
}

TEST(SortRanks, PutsTheRanksWhereSortingWould) {
  Random random(1);
  for (const Shape shape : {Shape::normal, Shape::heavy_tails, Shape::two_clusters,
                            Shape::whole_numbers, Shape::constant, Shape::mostly_zero}) {
    for (const Index n : {1, 2, 2047, 2048, 2049, 20011}) {
      std::vector<double> values(static_cast<std::size_t>(n));
      for (double& value : values) value = drawn(shape, random);
      std::vector<Index> ranks = {0};
      for (Index rank = 0; rank < n; rank += 1 + n / 100) ranks.push_back(rank);
      ranks.push_back(n - 1);
      const std::vector<double> found = sorted_at_ranks(values, ranks);
      std::vector<double> all = found;
      std::sort(all.begin(), all.end());
      std::sort(values.begin(), values.end());
      EXPECT_EQ(all, values);
      for (const Index rank : ranks) {
        const auto i = static_cast<std::size_t>(rank);
        ASSERT_EQ(found[i], values[i]) << static_cast<int>(shape) << " " << n << " " << rank;
        EXPECT_FALSE(found[i] == 0.0 && std::signbit(found[i]));
      }
    }
  }
}

}  // namespace
}  // namespace lbw
